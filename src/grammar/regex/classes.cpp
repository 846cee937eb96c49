#include "grammar/regex/classes.h"

#include "base/unicode/unicode.h"
#include "base/utf8.h"

namespace ingle::grammar {

namespace {

const PointRanges digits = {{'0', '9'}};
const PointRanges word = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
const PointRanges space = {{'\t', '\r'},     {' ', ' '},       {0xa0, 0xa0},     {0x1680, 0x1680},
                           {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f},
                           {0x3000, 0x3000}, {0xfeff, 0xfeff}};

template <class... Parts>
Status wrong(size_t at, const Parts&... what) {
    return fail(Code::invalid_argument, "byte ", at, ": ", what...);
}

struct Category {
    std::string_view name, long_name;
    uint32_t bits;
};

constexpr Category categories[] = {
    {"L", "Letter", unicode::letter}, {"Ll", "Lowercase_Letter", unicode::Ll},
    {"Lu", "Uppercase_Letter", unicode::Lu}, {"Lt", "Titlecase_Letter", unicode::Lt},
    {"Lm", "Modifier_Letter", unicode::Lm}, {"Lo", "Other_Letter", unicode::Lo},
    {"M", "Mark", unicode::mark}, {"Mn", "Nonspacing_Mark", unicode::Mn},
    {"Mc", "Spacing_Mark", unicode::Mc}, {"N", "Number", unicode::number},
    {"Nd", "Decimal_Number", unicode::Nd}, {"digit", "digit", unicode::Nd},
    {"Nl", "Letter_Number", unicode::Nl}, {"No", "Other_Number", unicode::No},
    {"P", "Punctuation", unicode::punctuation}, {"S", "Symbol", unicode::symbol},
    {"Z", "Separator", unicode::separator}, {"Zs", "Space_Separator", unicode::Zs},
    {"Cc", "Control", unicode::Cc},
};

// {Name} behind \p or \P.
Result<PointRanges> property(std::string_view text, size_t& at, bool negated) {
    const size_t close = text.find('}', at);
    if (at >= text.size() || text[at] != '{' || close == text.npos)
        return wrong(at, "expected {..} behind \\p");
    std::string_view name = text.substr(at + 1, close - at - 1);
    for (const std::string_view key : {"General_Category=", "gc="})
        if (name.starts_with(key)) name.remove_prefix(key.size());
    for (const Category& category : categories) {
        if (name != category.name && name != category.long_name) continue;
        PointRanges out;
        for (char32_t p = 0; p <= 0x10ffff; ++p) {
            if ((unicode::classes(p) & category.bits) == 0) continue;
            if (!out.empty() && out.back().second + 1 == p) out.back().second = p;
            else out.emplace_back(p, p);
        }
        at = close + 1;
        return negated ? complement(std::move(out)) : out;
    }
    return wrong(at, "the property ", quoted(name), " is not supported");
}

// `count` hexadecimal digits.
std::optional<char32_t> hex(std::string_view text, size_t& at, size_t count) {
    if (count == 0 || count > 8 || at + count > text.size()) return std::nullopt;
    char32_t value = 0;
    for (size_t i = 0; i < count; ++i) {
        const char c = text[at + i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) return std::nullopt;
        value = value * 16 + char32_t(digit);
    }
    at += count;
    return value;
}

Result<PointRanges> coded(std::string_view text, size_t& at, char kind) {
    const size_t start = at;
    std::optional<char32_t> point;
    if (kind == 'u' && at < text.size() && text[at] == '{') {
        const size_t close = text.find('}', at);
        ++at;
        if (close != text.npos) point = hex(text, at, close - at);
        ++at;
    } else {
        point = hex(text, at, kind == 'x' ? 2 : 4);
        if (point && *point >= 0xd800 && *point <= 0xdbff && text.substr(at).starts_with("\\u")) {
            size_t next = at + 2;
            const auto low = hex(text, next, 4);
            if (low && *low >= 0xdc00 && *low <= 0xdfff) {
                point = 0x10000 + ((*point - 0xd800) << 10) + (*low - 0xdc00);
                at = next;
            }
        }
    }
    if (!point || *point > 0x10ffff) return wrong(start, "expected hexadecimal digits");
    return PointRanges{{*point, *point}};
}

}  // namespace

Result<PointRanges> parse_escape(std::string_view text, size_t& at, bool in_class) {
    const size_t start = at++;
    if (at >= text.size()) return wrong(start, "a backslash at the end");
    const char c = text[at++];
    const auto one = [](char32_t point) { return PointRanges{{point, point}}; };
    switch (c) {
        case 'd': return digits;
        case 'D': return complement(digits);
        case 'w': return word;
        case 'W': return complement(word);
        case 's': return space;
        case 'S': return complement(space);
        case 't': return one('\t');
        case 'n': return one('\n');
        case 'r': return one('\r');
        case 'f': return one('\f');
        case 'v': return one('\v');
        case 'a': return one('\a');
        case '0': return one(0);
        case 'x':
        case 'u': return coded(text, at, c);
        case 'p':
        case 'P': return property(text, at, c == 'P');
        case 'c':
            if (at < text.size() && ((text[at] | 32) >= 'a' && (text[at] | 32) <= 'z'))
                return one(char32_t(text[at++] & 31));
            return wrong(start, "expected a letter behind \\c");
        case 'b':
            if (in_class) return one('\b');
            return wrong(start, "word borders (\\b) are not supported");
        default: break;
    }
    if (c == 'B') return wrong(start, "word borders (\\B) are not supported");
    if (c >= '1' && c <= '9') return wrong(start, "back references are not supported");
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return wrong(start, "unknown escape \\", c);
    --at;
    const auto [point, length] = utf8::decode(text.substr(at));
    if (point == utf8::invalid) return wrong(at, "not UTF-8");
    at += size_t(length);
    return one(point);
}

Result<PointRanges> parse_class(std::string_view text, size_t& at) {
    const size_t start = at++;
    const bool negated = at < text.size() && text[at] == '^';
    if (negated) ++at;
    PointRanges out;
    const auto item = [&]() -> Result<PointRanges> {
        if (text[at] == '\\') return parse_escape(text, at, true);
        const auto [point, length] = utf8::decode(text.substr(at));
        if (point == utf8::invalid) return wrong(at, "not UTF-8");
        at += size_t(length);
        return PointRanges{{point, point}};
    };
    while (at < text.size() && text[at] != ']') {
        INGLE_ASSIGN(PointRanges low, item());
        const bool single = low.size() == 1 && low[0].first == low[0].second;
        if (single && at + 1 < text.size() && text[at] == '-' && text[at + 1] != ']') {
            const size_t dash = at++;
            INGLE_ASSIGN(const PointRanges high, item());
            if (high.size() != 1 || high[0].first != high[0].second || high[0].first < low[0].first)
                return wrong(dash, "a range whose end is below its beginning or no character");
            low[0].second = high[0].first;
        }
        out.insert(out.end(), low.begin(), low.end());
    }
    if (at >= text.size()) return wrong(start, "'[' without ']'");
    ++at;
    return negated ? complement(std::move(out)) : out;
}

}  // namespace ingle::grammar
