#include "chat/jinja/text_functions.h"

#include <algorithm>

#include "base/utf8.h"
#include "chat/jinja/runtime.h"

namespace ingle::jinja {

namespace {

constexpr char32_t capital_sigma = 0x3a3;

bool is_cased(char32_t point) {
    return is(point, CharacterClass::cased);
}

// Greek capital sigma becomes the final form after a letter and before none.
bool is_final_sigma(std::string_view bytes, size_t begin, size_t end) {
    if (begin == 0) return false;
    size_t before = begin - 1;
    while (before > 0 && (static_cast<unsigned char>(bytes[before]) & 0xc0) == 0x80) --before;
    if (!is_cased(utf8::decode(bytes.substr(before)).point)) return false;
    return (end >= bytes.size() || !is_cased(utf8::decode(bytes.substr(end)).point));
}

void append_mapped(TextBuilder& out, const Text& text, const Characters& at, Case wanted) {
    std::string mapped;
    if (at.point() == capital_sigma && wanted == Case::lower &&
        is_final_sigma(text.bytes(), at.begin(), at.end())) {
        mapped = "\xcf\x82";
    } else {
        append_cased(mapped, at.point(), wanted);
    }
    out.append(mapped, at.untrusted());
}

Result<Value> finished(TextBuilder& out, bool markup) {
    INGLE_ASSIGN(TextPtr made, out.finish(markup));
    return Value(std::move(made));
}

bool ends_line(char32_t point) {
    return (point >= 0x0a && point <= 0x0d) || (point >= 0x1c && point <= 0x1e) || point == 0x85 ||
           point == 0x2028 || point == 0x2029;
}

}  // namespace

Result<Value> sub_text(Runtime& runtime, const Text& text, size_t begin, size_t end) {
    TextBuilder out(runtime.meter());
    out.append(text, begin, std::max(begin, end));
    return finished(out, text.markup());
}

Result<Value> cased(Runtime& runtime, const Text& text, Case wanted) {
    TextBuilder out(runtime.meter());
    Characters at(text);
    while (at.next()) append_mapped(out, text, at, wanted);
    return finished(out, text.markup());
}

Result<Value> capitalized(Runtime& runtime, const Text& text) {
    TextBuilder out(runtime.meter());
    Characters at(text);
    while (at.next()) append_mapped(out, text, at, at.begin() == 0 ? Case::title : Case::lower);
    return finished(out, text.markup());
}

Result<Value> titled(Runtime& runtime, const Text& text) {
    TextBuilder out(runtime.meter());
    Characters at(text);
    bool inside = false;
    while (at.next()) {
        append_mapped(out, text, at, inside ? Case::lower : Case::title);
        inside = is_cased(at.point());
    }
    return finished(out, text.markup());
}

Result<Value> case_swapped(Runtime& runtime, const Text& text) {
    TextBuilder out(runtime.meter());
    Characters at(text);
    while (at.next())
        append_mapped(out, text, at,
                      is(at.point(), CharacterClass::upper) ? Case::lower : Case::upper);
    return finished(out, text.markup());
}

Result<Value> stripped(Runtime& runtime, const Text& text, const Text* unwanted, bool left,
                       bool right) {
    INGLE_TRY(runtime.meter().touch(text.bytes().size()));
    const auto goes = [&](std::string_view character) {
        return unwanted ? unwanted->bytes().find(character) != std::string_view::npos
                        : is_space(utf8::decode(character).point);
    };
    const std::string_view bytes = text.bytes();
    size_t begin = 0, end = bytes.size();
    while (left && begin < end) {
        const size_t size = character_bytes(bytes[begin]);
        if (!goes(bytes.substr(begin, size))) break;
        begin += size;
    }
    while (right && end > begin) {
        size_t last = end - 1;
        while (last > begin && (static_cast<unsigned char>(bytes[last]) & 0xc0) == 0x80) --last;
        if (!goes(bytes.substr(last, end - last))) break;
        end = last;
    }
    return sub_text(runtime, text, begin, end);
}

Result<Value> replaced(Runtime& runtime, const Text& text, const Text& old_part,
                       const Text& new_part, int64_t count) {
    INGLE_TRY(runtime.meter().touch(text.bytes().size()));
    const std::string_view bytes = text.bytes();
    TextBuilder out(runtime.meter());
    size_t copied = 0, search = 0;
    for (; count != 0 && !out.overflowed(); --count) {
        size_t found = bytes.find(old_part.bytes(), search);
        if (found == std::string_view::npos) break;
        out.append(text, copied, found).append(new_part);
        copied = found + old_part.bytes().size();
        search = copied;
        if (!old_part.empty()) continue;
        // The empty text lies before every character and at the end.
        if (found >= bytes.size()) break;
        search = found + character_bytes(bytes[found]);
    }
    out.append(text, copied, bytes.size());
    return finished(out, text.markup());
}

Result<Value> padded(Runtime& runtime, const Text& text, int64_t width, const Text& fill, bool left,
                     bool right) {
    if (fill.length() != 1)
        return fail(Code::invalid_argument,
                    "The fill character must be exactly one character long");
    const int64_t length = int64_t(text.length());
    const int64_t padding = std::max<int64_t>(width - length, 0);
    // Python's center() puts the odd blank left when the width is odd.
    const int64_t half = padding / 2 + (padding & width & 1);
    const int64_t before = left && right ? half : left ? padding : 0;
    TextBuilder out(runtime.meter());
    out.append_repeated(fill, uint64_t(before)).append(text);
    out.append_repeated(fill, uint64_t(padding - before));
    return finished(out, text.markup());
}

std::vector<Range> lines_of(const Text& text, bool keep_ends) {
    std::vector<Range> lines;
    const std::string_view bytes = text.bytes();
    size_t begin = 0;
    Characters at(text);
    while (at.next()) {
        if (at.begin() < begin || !ends_line(at.point())) continue;
        const bool pair = at.point() == '\r' && at.end() < bytes.size() && bytes[at.end()] == '\n';
        const size_t next = at.end() + (pair ? 1 : 0);
        lines.push_back({begin, keep_ends ? next : at.begin()});
        begin = next;
    }
    if (begin < bytes.size()) lines.push_back({begin, bytes.size()});
    return lines;
}

std::vector<Range> words_of(const Text& text) {
    std::vector<Range> words;
    Characters at(text);
    bool inside = false;
    while (at.next()) {
        const bool space = is_space(at.point());
        if (!space && !inside) words.push_back({at.begin(), at.end()});
        if (!space) words.back().end = at.end();
        inside = !space;
    }
    return words;
}

}  // namespace ingle::jinja
