// Firefunction v2:
//
//   content functools[{"name": "f", "arguments": {...}}]
#include "chat/reading/style.h"

namespace ingle::chat {

namespace {

constexpr Form forms[] = {{.call_open = "functools", .list = true}};
constexpr Writing writing = {.forms = forms};

}  // namespace

namespace entries {
extern const ReplyStyle firefunction;
const ReplyStyle firefunction = {
    .name = "firefunction",
    .rank = 10,
    .recognises = [](std::string_view source) { return holds(source, "functools["); },
    .writing = &writing,
};
}  // namespace entries

}  // namespace ingle::chat
