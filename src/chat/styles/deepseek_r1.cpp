// DeepSeek R1 and V3:
//
//   <think> ... </think> content <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f
//   ```json
//   {...}
//   ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr std::string_view head[] = {"function", "<｜tool▁sep｜>", head_name, "\n```json\n"};
constexpr Form forms[] = {
    {.shape = Shape::headed, .section_open = "<｜tool▁calls▁begin｜>", .section_close = "<｜tool▁calls▁end｜>",
     .call_open = "<｜tool▁call▁begin｜>", .call_close = "<｜tool▁call▁end｜>", .separator = "\n", .head = head,
     .behind_arguments = "\n```"},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle deepseek_r1;
const ReplyStyle deepseek_r1 = {
    .name = "deepseek-r1",
    .rank = 30,
    .recognises = [](std::string_view source) { return holds(source, "<｜tool▁calls▁begin｜>") && holds(source, "```json"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
