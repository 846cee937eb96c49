// IEEE half (f16) and bfloat16 (bf16) as storage types, with exact conversions.
//   f16: 1 sign, 5 exponent (bias 15), 10 mantissa bits      bf16: the upper half of an f32
#pragma once

#include <bit>
#include <cstdint>

namespace ingle {

struct f16 {
    uint16_t bits;
};
struct bf16 {
    uint16_t bits;
};
static_assert(sizeof(f16) == 2 && sizeof(bf16) == 2, "file layouts rely on it");

inline float to_f32(f16 half) {
    const uint32_t sign = uint32_t(half.bits & 0x8000u) << 16;
    const uint32_t rest = uint32_t(half.bits & 0x7fffu) << 13;
    // Masks instead of branches, so that loops vectorise. The digits of a subnormal become those of a
    // float in [2^-14, 2^-13), whose leading one is then taken away: exact.
    const uint32_t small = 0u - uint32_t(rest < 0x00800000u);     // subnormal or zero
    const uint32_t special = 0u - uint32_t(rest >= 0x0f800000u);  // infinity or NaN
    const float subnormal = std::bit_cast<float>(rest + 0x38800000u) - 0x1p-14f;
    const uint32_t other = rest + 0x38000000u + (special & 0x38000000u);
    return std::bit_cast<float>(sign | (std::bit_cast<uint32_t>(subnormal) & small) |
                                (other & ~small));
}

inline float to_f32(bf16 half) { return std::bit_cast<float>(uint32_t(half.bits) << 16); }

// Rounds to nearest, ties to even; too large becomes infinity; NaN stays NaN.
inline f16 to_f16(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return f16{uint16_t(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu))};
    if (magnitude >= 0x477ff000u) return f16{uint16_t(sign | 0x7c00u)};
    if (magnitude >= 0x38800000u) {
        const uint32_t odd = (magnitude >> 13) & 1u;
        return f16{uint16_t(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13))};
    }
    // Adding 0.5 puts the rounding position of a half subnormal at the float's last bit.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return f16{uint16_t(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u))};
}

// Rounds to nearest, ties to even; NaN is made quiet.
inline bf16 to_bf16(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return bf16{uint16_t((bits >> 16) | 0x40u)};
    return bf16{uint16_t((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

}  // namespace ingle
