// Seed-OSS:
//
//   <seed:think> ... </seed:think> content <seed:tool_call>
//   <function=f>
//   <parameter=key>value</parameter>
//   </function>
//   </seed:tool_call>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr ReasoningMarks reasoning[] = {{"<seed:think>", "</seed:think>"}};
constexpr Form forms[] = {
    {.shape = Shape::parameters, .call_open = "<seed:tool_call>", .call_close = "</seed:tool_call>",
     .separator = "\n", .space = "\n",
     .marks = {.name_open = "<function=", .name_close = ">", .key_open = "<parameter=", .key_close = ">",
               .value_close = "</parameter>", .call_close = "</function>", .between = "\n"}},
};
constexpr Writing writing = {.reasoning = reasoning, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle seed_oss;
const ReplyStyle seed_oss = {
    .name = "seed-oss",
    .rank = 30,
    .recognises = [](std::string_view source) { return holds(source, "<seed:tool_call>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
