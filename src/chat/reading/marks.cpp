#include "chat/reading/marks.h"

namespace ingle::chat {

bool is_white(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

size_t white_prefix(std::string_view text) {
    size_t at = 0;
    while (at < text.size() && is_white(text[at])) ++at;
    return at;
}

Begins begins_with(std::string_view text, std::string_view mark, bool last) {
    if (text.starts_with(mark)) return Begins::yes;
    return !last && mark.starts_with(text) ? Begins::unknown : Begins::no;
}

MarkFound find_mark(std::string_view text, std::span<const std::string_view> marks, bool last) {
    for (size_t at = 0; at < text.size(); ++at) {
        const std::string_view rest = text.substr(at);
        int found = -1;
        size_t longest = 0;
        for (size_t i = 0; i < marks.size(); ++i) {
            if (marks[i].empty() || marks[i].front() != rest.front()) continue;
            const Begins begins = begins_with(rest, marks[i], last);
            if (begins == Begins::unknown) return {.at = at};
            if (begins != Begins::yes || marks[i].size() <= longest) continue;
            longest = marks[i].size();
            found = int(i);
        }
        if (found >= 0) return {.at = at, .mark = found};
    }
    return {.at = text.size()};
}

}  // namespace ingle::chat
