// Qwen3-Coder, Qwen 3.5, Step 3.5, Nemotron 3:
//
//   <tool_call>
//   <function=f>
//   <parameter=key>
//   value
//   </parameter>
//   </function>
//   </tool_call>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr std::string_view stray[] = {"</tool_call>"};
constexpr Form forms[] = {
    {.shape = Shape::parameters, .call_open = "<tool_call>", .call_close = "</tool_call>", .separator = "\n",
     .space = "\n",
     .marks = {.name_open = "<function=", .name_close = ">", .key_open = "<parameter=", .key_close = ">",
               .value_close = "</parameter>", .call_close = "</function>", .lines = true, .between = "\n"}},
    // The outer mark is often forgotten.
    {.shape = Shape::parameters, .call_open = "<function=", .call_close = "</function>",
     .marks = {.name_close = ">", .key_open = "<parameter=", .key_close = ">", .value_close = "</parameter>",
               .lines = true}},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms, .dropped = stray};

}  // namespace

namespace entries {
extern const ReplyStyle qwen3_coder;
const ReplyStyle qwen3_coder = {
    .name = "qwen3-coder",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, "<function=") && holds(source, "<parameter="); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
