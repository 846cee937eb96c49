#include "base/utf8.h"

namespace ingle::utf8 {

namespace {

// Bytes that a character takes by its first byte; 0 if none can start so.
int length_of(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead < 0xc2) return 0;
    if (lead < 0xe0) return 2;
    if (lead < 0xf0) return 3;
    return lead < 0xf5 ? 4 : 0;
}

// The second byte decides overlong forms, surrogates and the upper end of Unicode.
bool second_allowed(unsigned char lead, unsigned char second) {
    switch (lead) {
        case 0xe0: return second >= 0xa0 && second <= 0xbf;
        case 0xed: return second >= 0x80 && second <= 0x9f;
        case 0xf0: return second >= 0x90 && second <= 0xbf;
        case 0xf4: return second >= 0x80 && second <= 0x8f;
        default: return second >= 0x80 && second <= 0xbf;
    }
}

// Number of leading bytes of `text` that form a prefix of a well-formed character.
int well_formed_prefix(std::string_view text, int wanted) {
    const auto byte = [&](int i) { return static_cast<unsigned char>(text[size_t(i)]); };
    int have = 1;
    while (have < wanted && have < int(text.size())) {
        const bool fits = have == 1 ? second_allowed(byte(0), byte(1)) : (byte(have) & 0xc0) == 0x80;
        if (!fits) break;
        ++have;
    }
    return have;
}

}  // namespace

Decoded decode(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const int wanted = length_of(lead);
    if (wanted == 0) return {invalid, 1};
    if (wanted == 1) return {lead, 1};
    const int have = well_formed_prefix(text, wanted);
    if (have < wanted) return {invalid, have};
    char32_t point = lead & (0xffu >> (wanted + 1));
    for (int i = 1; i < wanted; ++i)
        point = point << 6 | (static_cast<unsigned char>(text[size_t(i)]) & 0x3fu);
    return {point, wanted};
}

void append(std::string& out, char32_t point) {
    const auto tail = [&](int shift) { out += char(0x80u | ((point >> shift) & 0x3fu)); };
    if (point < 0x80) {
        out += char(point);
    } else if (point < 0x800) {
        out += char(0xc0u | (point >> 6));
        tail(0);
    } else if (point < 0x10000) {
        out += char(0xe0u | (point >> 12));
        tail(6), tail(0);
    } else {
        out += char(0xf0u | (point >> 18));
        tail(12), tail(6), tail(0);
    }
}

bool valid(std::string_view text) {
    while (!text.empty()) {
        const Decoded d = decode(text);
        if (d.point == invalid) return false;
        text.remove_prefix(size_t(d.length));
    }
    return true;
}

std::string replace_invalid(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Decoded d = decode(text);
        if (d.point == invalid) append(out, 0xfffd);
        else out += text.substr(0, size_t(d.length));
        text.remove_prefix(size_t(d.length));
    }
    return out;
}

size_t incomplete_tail(std::string_view text) {
    for (size_t back = 1; back <= 3 && back <= text.size(); ++back) {
        const std::string_view tail = text.substr(text.size() - back);
        const auto lead = static_cast<unsigned char>(tail[0]);
        if ((lead & 0xc0) == 0x80) continue;
        const int wanted = length_of(lead);
        return wanted > int(back) && well_formed_prefix(tail, wanted) == int(back) ? back : 0;
    }
    return 0;
}

}  // namespace ingle::utf8
