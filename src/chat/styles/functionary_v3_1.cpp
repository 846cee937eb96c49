// Functionary v3.1 and what Llama 3.1 writes when told to:
//
//   content <function=f>{...}</function>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr std::string_view head[] = {head_name, ">"};
constexpr Form forms[] = {
    {.shape = Shape::headed, .call_open = "<function=", .call_close = "</function>", .head = head},
};
constexpr std::string_view dropped[] = {"<|eom_id|>"};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms, .dropped = dropped};

}  // namespace

namespace entries {
extern const ReplyStyle functionary_v3_1;
const ReplyStyle functionary_v3_1 = {
    .name = "functionary-v3.1",
    .rank = 12,
    .recognises = [](std::string_view source) { return holds(source, "<function=") && holds(source, "</function>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
