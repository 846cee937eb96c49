// What follows from a Writing: reading, grammar, marks.
#pragma once

#include "chat/reply.h"

namespace ingle::chat {

std::unique_ptr<ReplyReader> read_writing(const Writing& writing, const ReplySetup& setup);
// The grammar of the first form.
Result<ReplyGrammar> grammar_of_writing(const Writing& writing, const ReplySetup& setup);
std::vector<std::string_view> marks_of_writing(const Writing& writing);

}  // namespace ingle::chat
