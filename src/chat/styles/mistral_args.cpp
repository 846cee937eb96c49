// Mistral from v11 on; v13 leaves out the id, and older models of the family write the list:
//
//   [THINK] ... [/THINK] content [TOOL_CALLS]f[CALL_ID]id[ARGS]{...}
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr ReasoningMarks reasoning[] = {{"[THINK]", "[/THINK]"}, {"<think>", "</think>"}};
constexpr std::string_view head[] = {head_name, "[CALL_ID]", head_id, "[ARGS]"};
constexpr Form forms[] = {
    {.shape = Shape::headed, .call_open = "[TOOL_CALLS]", .head = head},
    {.call_open = "[TOOL_CALLS]", .list = true},
};
constexpr Writing writing = {.reasoning = reasoning, .reasoning_anywhere = true, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle mistral_args;
const ReplyStyle mistral_args = {
    .name = "mistral-args",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, "[TOOL_CALLS]") && holds(source, "[ARGS]"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
