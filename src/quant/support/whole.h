// From f32 to the plain integer types.
#pragma once

#include <cmath>
#include <limits>

namespace ingle::quant {

// The nearest whole number, ties to even, kept within the range of T; NaN is 0.
template <class T>
T to_whole(float value) {
    if (std::isnan(value)) return 0;
    // 2^(bits-1) is the first float beyond the range.
    constexpr float limit = -float(std::numeric_limits<T>::min());
    const float rounded = std::nearbyint(value);
    if (rounded >= limit) return std::numeric_limits<T>::max();
    if (rounded <= -limit) return std::numeric_limits<T>::min();
    return T(rounded);
}

}  // namespace ingle::quant
