// Unicode properties of characters: general category, white space, Han script, lower case, accents.
// The data is that of Unicode 18.0 (tables.cpp, written by tools/unicode_tables.py).
#pragma once

#include <cstdint>
#include <string>

namespace ingle::unicode {

// One bit a property; a character has exactly one category bit, and white_space and han beside it.
enum Class : uint32_t {
    Cn = 1u << 0, Cc = 1u << 1, Cf = 1u << 2, Co = 1u << 3, Cs = 1u << 4,
    Ll = 1u << 5, Lm = 1u << 6, Lo = 1u << 7, Lt = 1u << 8, Lu = 1u << 9,
    Mc = 1u << 10, Me = 1u << 11, Mn = 1u << 12,
    Nd = 1u << 13, Nl = 1u << 14, No = 1u << 15,
    Pc = 1u << 16, Pd = 1u << 17, Pe = 1u << 18, Pf = 1u << 19, Pi = 1u << 20, Po = 1u << 21,
    Ps = 1u << 22,
    Sc = 1u << 23, Sk = 1u << 24, Sm = 1u << 25, So = 1u << 26,
    Zl = 1u << 27, Zp = 1u << 28, Zs = 1u << 29,
    white_space = 1u << 30, han = 1u << 31,

    letter = Ll | Lm | Lo | Lt | Lu,
    mark = Mc | Me | Mn,
    number = Nd | Nl | No,
    punctuation = Pc | Pd | Pe | Pf | Pi | Po | Ps,
    symbol = Sc | Sk | Sm | So,
    separator = Zl | Zp | Zs,
    other = Cn | Cc | Cf | Co | Cs,
};

// The properties of a code point as a set of Class bits; 0 beyond U+10FFFF.
uint32_t classes(char32_t point);

// Lower case of one character without context; U+0130 becomes a plain i.
char32_t lower(char32_t point);

// Appends the canonical decomposition without its non-spacing marks: "é" gives "e", U+0301 nothing.
void append_unaccented(std::string& out, char32_t point);

}  // namespace ingle::unicode
