// Nemotron Nano v2:
//
//   <think> ... </think> content <TOOLCALL>[{"name": "f", "arguments": {...}}]</TOOLCALL>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr Form forms[] = {{.call_open = "<TOOLCALL>", .call_close = "</TOOLCALL>", .list = true}};
constexpr std::string_view dropped[] = {"<SPECIAL_12>"};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms, .dropped = dropped};

}  // namespace

namespace entries {
extern const ReplyStyle nemotron_v2;
const ReplyStyle nemotron_v2 = {
    .name = "nemotron-v2",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, "<TOOLCALL>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
