// Apriel 1.5, Hunyuan, Jamba:
//
//   <thinking> ... </thinking> content <tool_calls>[{"name": "f", "arguments": {...}}]</tool_calls>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr ReasoningMarks reasoning[] = {{"<think>", "</think>"}, {"<thinking>", "</thinking>"}};
constexpr std::string_view dropped[] = {"[BEGIN FINAL RESPONSE]", "[END FINAL RESPONSE]", "<answer>", "</answer>"};
constexpr Form forms[] = {{.call_open = "<tool_calls>", .call_close = "</tool_calls>", .list = true}};
constexpr Writing writing = {.reasoning = reasoning, .forms = forms, .dropped = dropped};

}  // namespace

namespace entries {
extern const ReplyStyle apriel;
const ReplyStyle apriel = {
    .name = "apriel",
    .rank = 15,
    .recognises = [](std::string_view source) { return holds(source, "<tool_calls>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
