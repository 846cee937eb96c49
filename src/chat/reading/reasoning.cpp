#include "chat/reading/reasoning.h"

#include "chat/reading/marks.h"

namespace ingle::chat {

const ReasoningMarks* reasoning_open_in(std::span<const ReasoningMarks> all, std::string_view prompt_end) {
    while (!prompt_end.empty() && is_white(prompt_end.back())) prompt_end.remove_suffix(1);
    for (const ReasoningMarks& marks : all)
        if (prompt_end.ends_with(marks.open)) return &marks;
    return nullptr;
}

}  // namespace ingle::chat
