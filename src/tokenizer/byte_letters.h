// GPT-2's spelling of arbitrary bytes as printable letters: bytes that print stand for themselves
// (as code points), the other 68 for U+0100 onwards in ascending order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ingle::tokenizer {

// The letter of each byte.
std::array<char16_t, 256> byte_letters();

// Appends the letters of `bytes`.
void append_letters(std::string_view bytes, std::string& out);
// Appends the bytes of `letters`; characters that are no letter of a byte stay as they are.
void append_bytes(std::string_view letters, std::string& out);

}  // namespace ingle::tokenizer
