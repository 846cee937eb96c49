#include "chat/jinja/wrap.h"

#include <algorithm>

#include "base/utf8.h"
#include "chat/jinja/unicode.h"

namespace ingle::jinja {

namespace {

// Python's textwrap knows only these as blanks.
bool is_blank(char c) {
    return std::string_view("\t\n\x0b\x0c\r ").find(c) != std::string_view::npos;
}

bool is_letter(char32_t point) {
    return point == '_' || is(point, CharacterClass::alpha);
}

struct Piece {
    Range bytes;
    bool blank;
};

// Where a word may be cut after a hyphen: letters on both sides, two of them before it.
bool breaks_after_hyphen(std::string_view text, size_t word, size_t hyphen, size_t end) {
    size_t letters = 0;
    for (size_t at = word; at < hyphen;) {
        const auto decoded = utf8::decode(text.substr(at));
        letters = is_letter(decoded.point) ? letters + 1 : 0;
        at += size_t(decoded.length);
    }
    if (letters < 2 || hyphen + 1 >= end) return false;
    const auto after = utf8::decode(text.substr(hyphen + 1, end - hyphen - 1));
    if (!is_letter(after.point)) return false;
    const size_t second = hyphen + 1 + size_t(after.length);
    return second < end && (is_letter(utf8::decode(text.substr(second, end - second)).point) ||
                            text[second] == '-');
}

std::vector<Piece> pieces_of(std::string_view text, Range line, bool hyphens) {
    std::vector<Piece> pieces;
    for (size_t at = line.begin; at < line.end;) {
        const bool blank = is_blank(text[at]);
        size_t end = at;
        while (end < line.end && is_blank(text[end]) == blank) ++end;
        size_t begin = at;
        for (size_t i = at; hyphens && !blank && i < end; ++i) {
            if (text[i] != '-' || !breaks_after_hyphen(text, begin, i, end)) continue;
            pieces.push_back({{begin, i + 1}, false});
            begin = i + 1;
        }
        if (begin < end) pieces.push_back({{begin, end}, blank});
        at = end;
    }
    return pieces;
}

int64_t characters(std::string_view text, Range range) {
    int64_t count = 0;
    for (size_t i = range.begin; i < range.end; ++i)
        count += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    return count;
}

}  // namespace

std::vector<Range> wrapped_lines(const Text& text, Range line, const WrapStyle& style) {
    const std::string_view bytes = text.bytes();
    std::vector<Piece> pieces = pieces_of(bytes, line, style.break_on_hyphens);
    std::vector<Range> lines;
    size_t next = 0;
    while (next < pieces.size()) {
        if (pieces[next].blank && !lines.empty()) ++next;
        const size_t first = next;
        int64_t used = 0;
        while (next < pieces.size()) {
            const int64_t size = characters(bytes, pieces[next].bytes);
            if (used + size > style.width) break;
            used += size;
            ++next;
        }
        Range made{first < pieces.size() ? pieces[first].bytes.begin : line.end, 0};
        made.end = next > first ? pieces[next - 1].bytes.end : made.begin;
        const bool too_long =
            next < pieces.size() && characters(bytes, pieces[next].bytes) > style.width;
        if (too_long && style.break_long_words) {
            Range& word = pieces[next].bytes;
            size_t cut = word.begin;
            for (int64_t room = style.width - used; room > 0; --room)
                cut += character_bytes(bytes[cut]);
            made.end = std::max(cut, made.end);
            word.begin = cut;
        } else if (too_long && next == first) {
            made.end = pieces[next++].bytes.end;
        }
        const bool ends_blank =
            next > first && pieces[next - 1].blank && made.end == pieces[next - 1].bytes.end;
        if (ends_blank) made.end = pieces[next - 1].bytes.begin;
        if (made.begin < made.end) lines.push_back(made);
    }
    return lines;
}

}  // namespace ingle::jinja
