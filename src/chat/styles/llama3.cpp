// Llama 3.1 to 3.3: an object alone, or behind <|python_tag|>; built-in tools as f.call(key="value"):
//
//   {"name": "f", "parameters": {...}}
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr std::string_view head[] = {head_name, ".call"};
constexpr Form forms[] = {
    {.arguments_key = "parameters"},
    {.call_open = "<|python_tag|>", .arguments_key = "parameters"},
    {.shape = Shape::headed, .call_open = "<|python_tag|>", .head = head, .notation = {.keyword_arguments = true}},
};
constexpr std::string_view dropped[] = {"<|eom_id|>"};
constexpr Writing writing = {.reasoning = think_marks, .forms = forms, .dropped = dropped};

}  // namespace

namespace entries {
extern const ReplyStyle llama3;
const ReplyStyle llama3 = {
    .name = "llama3",
    .rank = 5,
    .recognises = [](std::string_view source) { return holds(source, "ipython") && holds(source, "\"parameters\": "); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
