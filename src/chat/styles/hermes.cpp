// Hermes, Qwen 2.5 and 3, Granite 4, MiMo, Bielik, EXAONE 4 and many others:
//
//   <think> ... </think> content <tool_call>{"name": "f", "arguments": {...}}</tool_call>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr Form forms[] = {
    {.call_open = "<tool_call>", .call_close = "</tool_call>", .separator = "\n", .space = "\n"},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle hermes;
const ReplyStyle hermes = {
    .name = "hermes",
    .rank = 10,
    .recognises = [](std::string_view source) { return holds(source, "<tool_call>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
