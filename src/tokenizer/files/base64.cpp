#include "tokenizer/files/base64.h"

#include <cstdint>

namespace ingle::files {
namespace {

int value_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

Result<std::string> decode_base64(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    if (text.size() % 4 == 1)
        return fail(Code::corrupt, "base64: ", text.size(),
                    " characters are no whole number of bytes");
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    uint32_t bits = 0;
    int count = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const int value = value_of(text[i]);
        if (value < 0)
            return fail(Code::corrupt, "base64: expected A-Z a-z 0-9 + / at character ", i,
                        ", found ", quoted(text.substr(i, 1)));
        bits = bits << 6 | uint32_t(value);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += char(bits >> count & 0xff);
    }
    return bytes;
}

}  // namespace ingle::files
