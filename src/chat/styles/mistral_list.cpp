// Mistral to v7:
//
//   content [TOOL_CALLS][{"name": "f", "arguments": {...}}]
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr ReasoningMarks reasoning[] = {{"[THINK]", "[/THINK]"}, {"<think>", "</think>"}};
constexpr Form forms[] = {{.call_open = "[TOOL_CALLS]", .list = true}};
constexpr Writing writing = {.reasoning = reasoning, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle mistral_list;
const ReplyStyle mistral_list = {
    .name = "mistral-list",
    .rank = 10,
    .recognises = [](std::string_view source) { return holds(source, "[TOOL_CALLS]"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
