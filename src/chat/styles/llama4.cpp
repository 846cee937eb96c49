// Llama 4:
//
//   [f(key="value"), g()]
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr std::string_view head[] = {head_name};
constexpr Form forms[] = {
    {.shape = Shape::headed, .list = true, .head = head, .notation = {.keyword_arguments = true}},
    {.shape = Shape::headed, .call_open = "<|python_start|>", .call_close = "<|python_end|>", .head = head,
     .notation = {.keyword_arguments = true}},
};
constexpr Writing writing = {.forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle llama4;
const ReplyStyle llama4 = {
    .name = "llama4",
    .rank = 10,
    .recognises = [](std::string_view source) { return holds(source, "<|header_start|>") && holds(source, "tool"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
