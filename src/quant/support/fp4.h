// The 4-bit float E2M1 of MXFP4 and NVFP4 and the 8-bit floats that scale it. Numbers are kept
// doubled and scales halved, so that the former are whole.
#pragma once

#include <bit>
#include <cstdint>

namespace ingle::quant {

// Twice the value of each code: 0, 0.5, 1, 1.5, 2, 3, 4, 6, and the same with a minus sign.
inline constexpr int8_t e2m1_doubled[16] = {0, 1,  2,  3,  4,  6,  8,  12,
                                            0, -1, -2, -3, -4, -6, -8, -12};

// The same ascending, for the searches, and the code of a position there.
inline constexpr float fp4_levels[15] = {-12, -8, -6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8, 12};
constexpr uint8_t fp4_code(int position) {
    return uint8_t(position < 7 ? 15 - position : position - 7);
}

// 2^(exponent - 128). The two least are subnormal.
constexpr float half_of_e8m0(uint8_t exponent) {
    const uint32_t bits = exponent < 2 ? 0x00200000u << exponent : uint32_t(exponent - 1) << 23;
    return std::bit_cast<float>(bits);
}

// Half of an unsigned float of 4 exponent bits (bias 7) and 3 fraction bits. The top bit is
// ignored, but 0x7f without it stands for 0.
inline constexpr int ue4m3_largest = 0x7e;
constexpr float half_of_ue4m3(uint8_t scale) {
    const int exponent = scale >> 3 & 15, fraction = scale & 7;
    if (scale == 0x7f) return 0;
    if (exponent == 0) return float(fraction) * 0x1p-10f;
    return std::bit_cast<float>(uint32_t(exponent + 127 - 8) << 23 | uint32_t(fraction) << 20);
}

}  // namespace ingle::quant
