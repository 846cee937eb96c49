// Command R and R+:
//
//   content
//   Action:
//   ```json
//   [{"tool_name": "f", "parameters": {...}}]```
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr Form forms[] = {
    {.call_open = "Action:\n```json", .call_close = "```", .space = "\n", .name_key = "tool_name",
     .arguments_key = "parameters", .list = true},
    {.call_open = "Action: ```json", .call_close = "```", .name_key = "tool_name",
     .arguments_key = "parameters", .list = true},
};
constexpr Writing writing = {.forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle command_r_plus;
const ReplyStyle command_r_plus = {
    .name = "command-r-plus",
    .rank = 10,
    .recognises = [](std::string_view source) { return holds(source, "Action:") && holds(source, "directly-answer"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
