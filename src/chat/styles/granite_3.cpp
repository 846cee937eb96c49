// Granite 3:
//
//   <think> ... </think><response>content</response> <|tool_call|>[{"name": "f", "arguments": {...}}]
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr std::string_view dropped[] = {"<response>", "</response>"};
constexpr Form forms[] = {{.call_open = "<|tool_call|>", .list = true}, {.call_open = "<tool_call>", .list = true}};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms, .dropped = dropped};

}  // namespace

namespace entries {
extern const ReplyStyle granite_3;
const ReplyStyle granite_3 = {
    .name = "granite-3",
    .rank = 15,
    .recognises = [](std::string_view source) { return holds(source, "<|tool_call|>") && holds(source, "<|start_of_role|>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
