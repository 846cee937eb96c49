// DeepSeek V3.1:
//
//   <think> ... </think> content <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{...}<｜tool▁call▁end｜>
//   <｜tool▁calls▁end｜>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr std::string_view head[] = {head_name, "<｜tool▁sep｜>"};
constexpr Form forms[] = {
    {.shape = Shape::headed, .section_open = "<｜tool▁calls▁begin｜>", .section_close = "<｜tool▁calls▁end｜>",
     .call_open = "<｜tool▁call▁begin｜>", .call_close = "<｜tool▁call▁end｜>", .head = head},
};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle deepseek_v3_1;
const ReplyStyle deepseek_v3_1 = {
    .name = "deepseek-v3.1",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, "<｜tool▁calls▁begin｜>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
