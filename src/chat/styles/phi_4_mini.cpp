// Phi-4-mini:
//
//   content <|tool_call|>[{"name": "f", "arguments": {...}}]<|/tool_call|>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr Form forms[] = {
    {.call_open = "<|tool_call|>", .call_close = "<|/tool_call|>", .list = true},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle phi_4_mini;
const ReplyStyle phi_4_mini = {
    .name = "phi-4-mini",
    .rank = 12,
    .recognises = [](std::string_view source) { return holds(source, "<|tool|>") || holds(source, "<|/tool_call|>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
