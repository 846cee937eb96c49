// A style: a way of writing replies. Each is a file of chat/styles/, found by its name.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "chat/reading/form.h"

namespace ingle::chat {

class ReplyReader;
struct ReplyGrammar;
struct ReplySetup;

struct ReplyStyle {
    std::string_view name;
    int rank = 0;  // of those that recognise a template the highest wins
    bool (*recognises)(std::string_view template_source) = nullptr;
    const Writing* writing = nullptr;
    // Instead of what follows from the writing, for a style that no Writing describes wholly.
    std::unique_ptr<ReplyReader> (*special_reader)(const Writing&, const ReplySetup&) = nullptr;
    Result<ReplyGrammar> (*special_grammar)(const Writing&, const ReplySetup&) = nullptr;

    std::unique_ptr<ReplyReader> make_reader(const ReplySetup& setup) const;
    // For tool_choice other than "none": lazy for "auto". Schemas that the style cannot be held to are errors that
    // name the keyword.
    Result<ReplyGrammar> make_grammar(const ReplySetup& setup) const;
    // Special tokens that the reader must see as text, where the vocabulary has them.
    std::vector<std::string_view> tokens_kept() const;
    // Around reasoning, as the style writes it; null: it has none.
    const ReasoningMarks* reasoning() const;
};

inline bool holds(std::string_view text, std::string_view word) { return text.find(word) != text.npos; }

}  // namespace ingle::chat
