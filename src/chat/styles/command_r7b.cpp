// Command R7B and Command A:
//
//   <|START_THINKING|> ... <|END_THINKING|><|START_RESPONSE|>content<|END_RESPONSE|>
//   <|START_ACTION|>[{"tool_call_id": "0", "tool_name": "f", "parameters": {...}}]<|END_ACTION|>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr ReasoningMarks reasoning[] = {{"<|START_THINKING|>", "<|END_THINKING|>"}};
constexpr std::string_view dropped[] = {"<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>"};
constexpr Form forms[] = {
    {.call_open = "<|START_ACTION|>", .call_close = "<|END_ACTION|>", .space = "\n", .name_key = "tool_name",
     .arguments_key = "parameters", .id_key = "tool_call_id", .list = true},
};
constexpr Writing writing = {.reasoning = reasoning, .reasoning_anywhere = true, .forms = forms, .dropped = dropped};

}  // namespace

namespace entries {
extern const ReplyStyle command_r7b;
const ReplyStyle command_r7b = {
    .name = "command-r7b",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, "<|START_ACTION|>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
