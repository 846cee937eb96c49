#include "chat/reply.h"

#include "chat/reading/reasoning.h"

namespace ingle::chat {

const ReplyStyle& style_of(const ChatTemplate& chat_template) {
    const ReplyStyle* best = nullptr;
    for (const ReplyStyle* style : reply_styles())
        if (style->recognises(chat_template.source()) && (best == nullptr || style->rank > best->rank))
            best = style;
    return *best;  // `plain` recognises every template
}

bool begins_in_reasoning(const ReplyStyle& style, std::string_view prompt_end) {
    return reasoning_open_in(style.writing->reasoning, prompt_end) != nullptr;
}

std::string stop_reasoning_text(const ReplyStyle& style) {
    const ReasoningMarks* marks = style.reasoning();
    return marks ? cat("\n", marks->close, "\n\n") : "";
}

}  // namespace ingle::chat
