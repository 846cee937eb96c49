// GigaChat 3; a call is a message of its own:
//
//   content<|message_sep|>
//
//   function call<|role_sep|>
//   {"name": "f", "arguments": {...}}
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr std::string_view dropped[] = {"<|message_sep|>", "assistant<|role_sep|>"};
constexpr Form forms[] = {
    {.call_open = "function call<|role_sep|>", .separator = "\n\n", .space = "\n"},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms, .dropped = dropped};

}  // namespace

namespace entries {
extern const ReplyStyle gigachat3;
const ReplyStyle gigachat3 = {
    .name = "gigachat3",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, "function call") && holds(source, "<|role_sep|>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
