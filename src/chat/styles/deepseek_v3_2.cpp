// DeepSeek V3.2:
//
//   <think> ... </think> content <｜DSML｜function_calls>
//   <｜DSML｜invoke name="f">
//   <｜DSML｜parameter name="key" string="true">value</｜DSML｜parameter>
//   </｜DSML｜invoke>
//   </｜DSML｜function_calls>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr Form forms[] = {
    {.shape = Shape::parameters, .section_open = "<｜DSML｜function_calls>",
     .section_close = "</｜DSML｜function_calls>", .call_open = "<｜DSML｜invoke name=\"",
     .call_close = "</｜DSML｜invoke>",
     .marks = {.name_close = "\">", .key_open = "<｜DSML｜parameter name=\"", .key_close = "\">",
               .value_close = "</｜DSML｜parameter>", .typed = true, .between = "\n"}},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle deepseek_v3_2;
const ReplyStyle deepseek_v3_2 = {
    .name = "deepseek-v3.2",
    .rank = 40,
    .recognises = [](std::string_view source) { return holds(source, "function_calls>") && holds(source, "DSML"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
