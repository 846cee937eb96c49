// exp() in a form that compilers vectorise: 2^n times a polynomial of what is left over.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace ingle::evaluate {

// exp(x), relative error below 3e-7; x is held to [-87, 88], so that nothing over- or underflows.
inline float quick_exp(float x) {
    constexpr float shift = 12582912.0f;  // 1.5 * 2^23: adding it rounds to a whole number
    x = std::min(std::max(x, -87.0f), 88.0f);
    const float shifted = x * 1.44269504f + shift;
    const float whole = shifted - shift;
    // ln 2 in two parts; the first has few digits, so that whole * 0.693359375 is exact.
    const float rest = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
    float value = 1.0f / 720;
    value = value * rest + 1.0f / 120;
    value = value * rest + 1.0f / 24;
    value = value * rest + 1.0f / 6;
    value = value * rest + 0.5f;
    value = value * rest + 1.0f;
    value = value * rest + 1.0f;
    const uint32_t exponent = (std::bit_cast<uint32_t>(shifted) - 0x4b400000u + 127u) << 23;
    return value * std::bit_cast<float>(exponent);
}

}  // namespace ingle::evaluate
