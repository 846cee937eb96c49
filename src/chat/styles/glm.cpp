// GLM 4.5 and later; the line breaks may be missing:
//
//   <think> ... </think> content <tool_call>f
//   <arg_key>key</arg_key>
//   <arg_value>value</arg_value>
//   </tool_call>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr Form forms[] = {
    {.shape = Shape::parameters, .call_open = "<tool_call>", .call_close = "</tool_call>", .separator = "\n",
     .marks = {.key_open = "<arg_key>", .key_close = "</arg_key>", .value_open = "<arg_value>",
               .value_close = "</arg_value>", .between = "\n"}},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle glm;
const ReplyStyle glm = {
    .name = "glm",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, "<arg_key>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
