// Kimi K2; the id is what stands before the arguments:
//
//   <|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{...}<|tool_call_end|>
//   <|tool_calls_section_end|>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr ReasoningMarks reasoning[] = {{"<think>", "</think>"}, {"◁think▷", "◁/think▷"}};
constexpr std::string_view head[] = {"functions.", head_name, ":", head_number, "<|tool_call_argument_begin|>"};
constexpr Form forms[] = {
    {.shape = Shape::headed, .section_open = "<|tool_calls_section_begin|>",
     .section_close = "<|tool_calls_section_end|>", .call_open = "<|tool_call_begin|>",
     .call_close = "<|tool_call_end|>", .head = head, .id_is_head = true},
};
constexpr Writing writing = {.reasoning = reasoning, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle kimi_k2;
const ReplyStyle kimi_k2 = {
    .name = "kimi-k2",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, "<|tool_calls_section_begin|>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
