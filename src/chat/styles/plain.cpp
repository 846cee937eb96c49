// What is read where a template says nothing of calls: <think>, and calls as most models write them unasked,
// <tool_call>{"name": "f", "arguments": {...}}</tool_call>, or such an object alone.
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr Form forms[] = {
    {.call_open = "<tool_call>", .call_close = "</tool_call>", .separator = "\n", .space = "\n"},
    {.arguments_key = "parameters"},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle plain;
const ReplyStyle plain = {
    .name = "plain",
    .rank = -100,
    .recognises = [](std::string_view) { return true; },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
