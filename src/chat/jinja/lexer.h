// Template source to tokens, with trim_blocks and lstrip_blocks as chat templates are rendered
// with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ingle::jinja {

// Both from 1; columns count characters.
struct Position {
    int line = 1;
    int column = 1;
};

struct Token {
    enum class Kind {
        data,  // template text, white space already trimmed
        variable_begin,
        variable_end,
        block_begin,
        block_end,
        name,
        string,  // escapes already resolved
        integer,
        real,
        sign,  // an operator or bracket
        end,
    };
    Kind kind = Kind::end;
    std::string text = {};
    Position at = {};

    bool is(Kind wanted) const { return kind == wanted; }
    bool is_sign(std::string_view wanted) const { return kind == Kind::sign && text == wanted; }
    bool is_name(std::string_view wanted) const { return kind == Kind::name && text == wanted; }
};

// "line 3, column 7: " before the message.
Status syntax_error(Position at, std::string_view message);

// The last token is `end`.
Result<std::vector<Token>> tokenize(std::string_view source);

}  // namespace ingle::jinja
