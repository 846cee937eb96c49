// Solar Open; each part is a message of its own:
//
//   <|think|> ... <|end|><|begin|>assistant<|content|>content<|end|><|begin|>assistant<|tool_calls|>
//   <|tool_call:begin|>id<|tool_call:name|>f<|tool_call:args|>{...}<|tool_call:end|><|calls|>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr ReasoningMarks reasoning[] = {{"<|think|>", "<|end|>"}};
constexpr std::string_view head[] = {head_id, "<|tool_call:name|>", head_name, "<|tool_call:args|>"};
constexpr std::string_view dropped[] = {"<|begin|>assistant", "<|content|>", "<|end|>", "<|calls|>"};
constexpr Form forms[] = {
    {.shape = Shape::headed, .section_open = "<|tool_calls|>", .section_close = "<|calls|>",
     .call_open = "<|tool_call:begin|>", .call_close = "<|tool_call:end|>", .head = head},
};
constexpr Writing writing = {.reasoning = reasoning, .reasoning_anywhere = true, .forms = forms, .dropped = dropped,
                             .behind_reasoning = "<|begin|>assistant"};

}  // namespace

namespace entries {
extern const ReplyStyle solar_open;
const ReplyStyle solar_open = {
    .name = "solar-open",
    .rank = 30,
    .recognises = [](std::string_view source) { return holds(source, "<|tool_call:begin|>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
