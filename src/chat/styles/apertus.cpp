// Apertus; the name is a key:
//
//   <|inner_prefix|> ... <|inner_suffix|>content<|tools_prefix|>[{"f": {...}}]<|tools_suffix|>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr ReasoningMarks reasoning[] = {{"<|inner_prefix|>", "<|inner_suffix|>"}};
constexpr Form forms[] = {
    {.call_open = "<|tools_prefix|>", .call_close = "<|tools_suffix|>", .list = true, .name_is_key = true},
};
constexpr Writing writing = {.reasoning = reasoning, .reasoning_anywhere = true, .forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle apertus;
const ReplyStyle apertus = {
    .name = "apertus",
    .rank = 20,
    .recognises = [](std::string_view source) { return holds(source, "<|tools_prefix|>"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
