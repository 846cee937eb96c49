#include "chat/reading/style.h"

#include "chat/reading/written.h"

namespace ingle::chat {

std::unique_ptr<ReplyReader> ReplyStyle::make_reader(const ReplySetup& setup) const {
    return special_reader ? special_reader(*writing, setup) : read_writing(*writing, setup);
}

Result<ReplyGrammar> ReplyStyle::make_grammar(const ReplySetup& setup) const {
    return special_grammar ? special_grammar(*writing, setup) : grammar_of_writing(*writing, setup);
}

std::vector<std::string_view> ReplyStyle::tokens_kept() const { return marks_of_writing(*writing); }

const ReasoningMarks* ReplyStyle::reasoning() const {
    return writing->reasoning.empty() ? nullptr : &writing->reasoning.front();
}

}  // namespace ingle::chat
