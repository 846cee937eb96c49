// Whether a prompt has opened a block of reasoning that the reply goes on with.
#pragma once

#include <span>

#include "chat/reading/form.h"

namespace ingle::chat {

// The marks whose opening stands at the end of the prompt, white space aside; null if none.
const ReasoningMarks* reasoning_open_in(std::span<const ReasoningMarks> all, std::string_view prompt_end);

}  // namespace ingle::chat
