// Gemma 4; keys have no quotes, and strings stand between marks:
//
//   <|channel>thought
//   ... <channel|>content<|tool_call>call:f{key:<|"|>text<|"|>,count:3}<tool_call|>
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr ReasoningMarks reasoning[] = {{"<|channel>thought", "<channel|>"}};
constexpr std::string_view head[] = {"call:", head_name};
constexpr std::string_view dropped[] = {"<|tool_response>"};
constexpr Form forms[] = {
    {.shape = Shape::headed, .call_open = "<|tool_call>", .call_close = "<tool_call|>", .head = head,
     .notation = {.string_mark = "<|\"|>"}},
};
constexpr Writing writing = {.reasoning = reasoning, .reasoning_anywhere = true, .forms = forms, .dropped = dropped};

}  // namespace

namespace entries {
extern const ReplyStyle gemma4;
const ReplyStyle gemma4 = {
    .name = "gemma4",
    .rank = 30,
    .recognises = [](std::string_view source) { return holds(source, "<|tool_call>call:"); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
