// Packing shared by the 32-wide formats: byte j holds code j in its low and code j + 16 in its high
// 4 bits. The fifth bits of Q5_0 and Q5_1 are one little-endian word, bit i for code i.
#pragma once

#include <cstdint>
#include <cstring>

namespace ingle::quant {

inline void pack_nibbles(const uint8_t (&codes)[32], uint8_t (&packed)[16]) {
    for (int j = 0; j < 16; ++j) {
        packed[j] = uint8_t((codes[j] & 15) | (codes[j + 16] & 15) << 4);
    }
}

inline void pack_fifth_bits(const uint8_t (&codes)[32], uint8_t (&packed)[4]) {
    for (int byte = 0; byte < 4; ++byte) {
        uint64_t eight;
        std::memcpy(&eight, codes + 8 * byte, 8);
        // The product has bit 8i of the first factor at 56 + i.
        packed[byte] =
            uint8_t((eight >> 4 & 0x0101010101010101u) * 0x0102040810204080u >> 56);
    }
}

// 1 << i % 8; as a table, because compilers for plain x86-64 do not vectorise the shift.
inline constexpr uint8_t bit_in_byte[32] = {
    1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128,
    1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128,
};

// All 32 five-bit codes. Bytes are spread first and then masked, so that the loops vectorise.
inline void unpack_five_bits(const uint8_t (&nibbles)[16], const uint8_t (&fifth_bits)[4],
                             uint8_t (&codes)[32]) {
    uint8_t spread[32];  // for code i the byte that has its top bit
    for (int byte = 0; byte < 4; ++byte) std::memset(spread + 8 * byte, fifth_bits[byte], 8);
    uint8_t top[32];
    for (int i = 0; i < 32; ++i) top[i] = (spread[i] & bit_in_byte[i]) != 0 ? 16 : 0;
    for (int j = 0; j < 16; ++j) {
        codes[j] = uint8_t((nibbles[j] & 15) | top[j]);
        codes[j + 16] = uint8_t(nibbles[j] >> 4 | top[j + 16]);
    }
}

}  // namespace ingle::quant
