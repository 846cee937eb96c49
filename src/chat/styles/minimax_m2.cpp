// MiniMax-M2:
//
//   <think> ... </think> content <minimax:tool_call>
//   <invoke name="f">
//   <parameter name="key">value</parameter>
//   </invoke>
//   </minimax:tool_call>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr Form forms[] = {
    {.shape = Shape::parameters, .section_open = "<minimax:tool_call>", .section_close = "</minimax:tool_call>",
     .call_open = "<invoke name=\"", .call_close = "</invoke>",
     .marks = {.name_close = "\">", .key_open = "<parameter name=\"", .key_close = "\">",
               .value_close = "</parameter>", .between = "\n"}},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle minimax_m2;
const ReplyStyle minimax_m2 = {
    .name = "minimax-m2",
    .rank = 30,
    .recognises = [](std::string_view source) { return holds(source, "<minimax:tool_call>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
