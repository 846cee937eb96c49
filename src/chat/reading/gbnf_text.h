// Writes a grammar in GBNF: rules with names of their own, and the parts that it calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chat/reply.h"

namespace ingle::chat {

class GbnfText {
  public:
    // "text" with escapes.
    static std::string literal(std::string_view text);
    // The name of a new rule.
    std::string rule(std::string_view kind, std::string_view body);
    // Names of parts; the same text gives the same name.
    std::string mark(std::string_view text) { return part(grammar::Part::Kind::mark, "mark", text); }
    std::string text_without(std::string_view text) {
        return part(grammar::Part::Kind::text_without, "without", text);
    }
    std::string schema(const Json& schema);
    // (a | b | c)
    static std::string either(const std::vector<std::string>& bodies);

    ReplyGrammar take(std::string_view root);

  private:
    std::string part(grammar::Part::Kind kind, std::string_view name, std::string_view text);

    ReplyGrammar grammar_;
    int rules_ = 0;
};

}  // namespace ingle::chat
