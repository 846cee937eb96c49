// LFM2:
//
//   <think> ... </think> content <|tool_call_start|>[f(key="value"), g()]<|tool_call_end|>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr std::string_view head[] = {head_name};
constexpr Form forms[] = {
    {.shape = Shape::headed, .call_open = "<|tool_call_start|>", .call_close = "<|tool_call_end|>", .list = true,
     .head = head, .notation = {.keyword_arguments = true}},
    {.call_open = "<|tool_call_start|>", .call_close = "<|tool_call_end|>"},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle lfm2;
const ReplyStyle lfm2 = {
    .name = "lfm2",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, "<|tool_call_start|>") || holds(source, "List of tools: ["); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
