#include "tokenizer/byte_letters.h"

#include "base/utf8.h"

namespace ingle::tokenizer {
namespace {

constexpr int others_count = 68;  // bytes that do not print, spelled U+0100 to U+0143

constexpr bool prints(int byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

struct Letters {
    std::array<char16_t, 256> of_byte{};
    std::array<uint8_t, others_count> others{};
};

constexpr Letters letters = [] {
    Letters result;
    int next = 0;
    for (int byte = 0; byte < 256; ++byte) {
        if (!prints(byte)) result.others[size_t(next)] = uint8_t(byte);
        result.of_byte[size_t(byte)] = char16_t(prints(byte) ? byte : 0x100 + next++);
    }
    return result;
}();

}  // namespace

std::array<char16_t, 256> byte_letters() {
    return letters.of_byte;
}

void append_letters(std::string_view bytes, std::string& out) {
    for (const char byte : bytes) utf8::append(out, letters.of_byte[uint8_t(byte)]);
}

void append_bytes(std::string_view text, std::string& out) {
    while (!text.empty()) {
        const utf8::Decoded character = utf8::decode(text);
        const char32_t point = character.point;
        if (point >= 0x100 && point < 0x100 + others_count)
            out += char(letters.others[point - 0x100]);
        else if (point < 0x100 && prints(int(point)))
            out += char(point);
        else
            out += text.substr(0, size_t(character.length));
        text.remove_prefix(size_t(character.length));
    }
}

}  // namespace ingle::tokenizer
