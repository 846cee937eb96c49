// UTF-8: decoding without trust, encoding, and holding back half a character of a stream.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ingle::utf8 {

inline constexpr char32_t invalid = 0xffffffff;

struct Decoded {
    char32_t point;  // `invalid` if the bytes are no well-formed character
    int length;      // bytes taken, at least 1
};

// The character at the front of `text`, which must not be empty. Refuses overlong forms and surrogates.
Decoded decode(std::string_view text);

void append(std::string& out, char32_t point);
bool valid(std::string_view text);
// Every maximal broken part replaced by U+FFFD.
std::string replace_invalid(std::string_view text);

// How many bytes at the end of `text` may be the beginning of a character not yet complete (0 to 3).
size_t incomplete_tail(std::string_view text);

}  // namespace ingle::utf8
