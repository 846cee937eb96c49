// JSON strings: the bytes of the text against an expression over the decoded characters. An escape is
// followed only as far as some character that it can still become may come next.
#include <algorithm>

#include "base/utf8.h"
#include "grammar/expression.h"

namespace ingle::grammar {

namespace {

enum Phase : uint32_t {
    open,            // the quote comes
    inside,
    escape,          // after a backslash
    hex_digits,      // \u and c digits so far: phases hex_digits .. hex_digits + 3
    low_backslash = 8,  // a high surrogate is waiting for its other half
    low_u,
    low_digits,      // .. low_digits + 3
};

constexpr std::string_view escape_letters = "\"\\/bfnrt";
constexpr std::string_view escape_meanings = "\"\\/\b\f\n\r\t";

int hex_value(uint8_t c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

Expr Expressions::json_text(Expr characters) {
    return live(characters) ? text_state(characters, open, 0, 0) : none;
}

Expr Expressions::text_state(Expr characters, uint32_t phase, uint32_t value, uint32_t high) {
    if (characters == none) return none;
    return intern({.kind = Kind::json_text, .a = characters, .b = phase, .c = value, .d = high});
}

std::optional<Expressions::PlainText> Expressions::plain_text(Expr state) {
    const Node& node = nodes_[state];
    if (node.kind != Kind::json_text || node.b != inside) return std::nullopt;
    const Expr inner = node.a;
    if (nodes_[inner].kind != Kind::repeat) return std::nullopt;
    if (any_character_ == none) any_character_ = characters(*this, {{0, 0x10ffff}});
    const Node& many = nodes_[inner];
    if (many.a != any_character_) return std::nullopt;
    return PlainText{many.c, many.d};
}

bool Expressions::in_text(Expr state) {
    if (nodes_[state].kind != Kind::json_text || nodes_[state].b != inside) return false;
    for (int b = 0x80; b < 0xc0; ++b)
        if (step(state, uint8_t(b)) != none) return false;  // in the midst of a character
    return true;
}

uint32_t Expressions::room_in_text(Expr state) const {
    Expr inner = nodes_[state].kind == Kind::json_text ? nodes_[state].a : state;
    while (nodes_[inner].kind == Kind::concat) inner = nodes_[inner].b;
    const uint32_t room = nodes_[inner].kind == Kind::repeat ? nodes_[inner].d : 0;
    // The character of an unfinished escape is not counted yet.
    return nodes_[state].b > inside && room > 0 ? room - 1 : room;
}

Expr Expressions::after_point(Expr characters, char32_t point) {
    std::string bytes;
    utf8::append(bytes, point);
    return text_state(step(characters, bytes), inside, 0, 0);
}

Expr Expressions::step_text(const Node& node, uint8_t byte) {
    if (node.b == open) return byte == '"' ? text_state(node.a, inside, 0, 0) : none;
    if (node.b == inside) {
        if (byte == '"') return nodes_[node.a].nullable ? epsilon : none;
        if (byte == '\\') {
            for (const char c : escape_meanings)
                if (step(node.a, uint8_t(c)) != none) return text_state(node.a, escape, 0, 0);
            return can_take(node.a, 0, 0x10ffff) ? text_state(node.a, escape, 0, 0) : none;
        }
        return byte < 0x20 ? none : text_state(step(node.a, byte), inside, 0, 0);
    }
    if (node.b == escape) {
        if (byte == 'u')
            return can_take(node.a, 0, 0x10ffff) ? text_state(node.a, hex_digits, 0, 0) : none;
        const size_t letter = escape_letters.find(char(byte));
        if (letter == escape_letters.npos) return none;
        return text_state(step(node.a, uint8_t(escape_meanings[letter])), inside, 0, 0);
    }
    if (node.b == low_backslash)
        return byte == '\\' ? text_state(node.a, low_u, 0, node.d) : none;
    if (node.b == low_u) return byte == 'u' ? text_state(node.a, low_digits, 0, node.d) : none;
    return step_hex(node, byte);
}

Expr Expressions::step_hex(const Node& node, uint8_t byte) {
    const int digit = hex_value(byte);
    if (digit < 0) return none;
    const bool low_half = node.b >= low_digits;
    const uint32_t digits = node.b - (low_half ? uint32_t(low_digits) : uint32_t(hex_digits)) + 1;
    const uint32_t value = node.c * 16 + uint32_t(digit);
    const uint32_t shift = 4 * (4 - digits);
    const uint32_t first = value << shift, last = first + (1u << shift) - 1;
    if (low_half) {
        const uint32_t from = std::max(first, 0xdc00u), to = std::min(last, 0xdfffu);
        const char32_t base = 0x10000 + (char32_t(node.d) << 10);
        if (from > to || !can_take(node.a, base + (from - 0xdc00), base + (to - 0xdc00)))
            return none;
        if (digits == 4) return after_point(node.a, base + (value - 0xdc00));
        return text_state(node.a, node.b + 1, value, node.d);
    }
    // What the digits can become: a character of the basic plane, or half of a later one.
    const uint32_t high_from = std::max(first, 0xd800u), high_to = std::min(last, 0xdbffu);
    const bool plane = can_take(node.a, first, last);
    const bool pair = high_from <= high_to &&
                      can_take(node.a, 0x10000 + ((high_from - 0xd800) << 10),
                               0x10000 + ((high_to - 0xd800) << 10) + 0x3ff);
    if (!plane && !pair) return none;
    if (digits < 4) return text_state(node.a, node.b + 1, value, 0);
    if (pair) return text_state(node.a, low_backslash, 0, value - 0xd800);
    return after_point(node.a, value);
}

bool Expressions::can_take(Expr characters, char32_t low, char32_t high) {
    for (const auto& shape : utf8_shapes(low, high))
        if (can_take_bytes(characters, shape, 0)) return true;
    return false;
}

bool Expressions::can_take_bytes(Expr characters,
                                 const std::vector<std::pair<uint8_t, uint8_t>>& ranges,
                                 size_t at) {
    if (at == ranges.size()) return true;
    const ByteSet starts = borders(characters);
    for (size_t b = ranges[at].first; b <= ranges[at].second; ++b) {
        if (b != ranges[at].first && !starts.test(b)) continue;
        const Expr next = step(characters, uint8_t(b));
        if (next != none && can_take_bytes(next, ranges, at + 1)) return true;
    }
    return false;
}

ByteSet Expressions::text_borders(const Node& node) {
    ByteSet out;
    const auto single = [&out](size_t byte) { out.set(byte).set(byte + 1); };
    if (node.b == inside) {
        out |= borders(node.a);
        out.set(0x20);
    }
    single('"');
    single('\\');
    for (const char c : escape_letters) single(size_t(c));
    single('u');
    if (node.b > inside)
        for (const char c : std::string_view("0123456789abcdefABCDEF")) single(size_t(c));
    return out;
}

}  // namespace ingle::grammar
