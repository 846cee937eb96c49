// exp, log and powers from IEEE additions, multiplications and divisions in a fixed order, so that
// a draw does not depend on the C library: std::exp and std::log differ between libraries in the
// last bit.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ingle::sampling {

// exp(x) for x <= 0; relative error below 2e-7; exactly 0 at -70 and below, so that no probability
// becomes subnormal even after division by a sum over a vocabulary. Without branches: vectorizes.
// x = n ln 2 + r with |r| <= ln 2 / 2, the minimax polynomial of Cephes for exp(r), times 2^n.
inline float exp_nonpositive(float x) {
    constexpr float round_to_integer = 12582912.0f;  // 1.5 * 2^23: it lands in the low bits
    constexpr int32_t bits_of_70 = 0x428c0000;
    const int32_t bits = std::bit_cast<int32_t>(x);
    const int32_t in_range = ((bits & 0x7fffffff) - bits_of_70) >> 31;  // all ones if |x| < 70
    const float clamped = std::bit_cast<float>(bits & in_range);
    const float shifted = clamped * 1.44269504f + round_to_integer;
    const float n = shifted - round_to_integer;
    const float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;
    float series = 1.9875691500e-4f;
    series = series * r + 1.3981999507e-3f;
    series = series * r + 8.3334519073e-3f;
    series = series * r + 4.1665795894e-2f;
    series = series * r + 1.6666665459e-1f;
    series = series * r + 5.0000001201e-1f;
    const float mantissa = (series * r * r + r) + 1.0f;
    const int32_t exponent = std::bit_cast<int32_t>(shifted) - 0x4b400000 + 127;
    const float value = mantissa * std::bit_cast<float>(exponent << 23);
    return std::bit_cast<float>(std::bit_cast<int32_t>(value) & in_range);
}

// The natural logarithm of x > 0; relative error below 1e-15. Of 0: minus infinity.
// x = m 2^n with m in [1/sqrt 2, sqrt 2); log m = 2 atanh((m - 1) / (m + 1)).
inline double exact_log(double x) {
    if (!(x > 0)) return -std::numeric_limits<double>::infinity();
    int exponent = 0;
    double m = std::frexp(x, &exponent);
    if (m < 0.70710678118654752) m *= 2, --exponent;
    const double s = (m - 1) / (m + 1);
    const double square = s * s;
    double series = 0;
    for (int k = 23; k >= 1; k -= 2) series = series * square + 1.0 / k;
    return exponent * 0.69314718055994531 + 2 * s * series;
}

// exp(x); relative error below 1e-15 times max(1, |x|). Saturates to 0 and infinity.
inline double exact_exp(double x) {
    if (!(x > -745)) return 0;
    if (x > 709.7) return std::numeric_limits<double>::infinity();
    const double n = std::floor(x * 1.4426950408889634 + 0.5);
    const double r = (x - n * 0.693147180369123816) - n * 1.90821492927058770e-10;
    double series = 1;
    for (int k = 14; k >= 1; --k) series = series * r / k + 1;
    return std::ldexp(series, int(n));
}

// base^exponent for base > 0.
inline double exact_power(double base, double exponent) {
    return exact_exp(exponent * exact_log(base));
}

// Integers in the order of the floats they stand for: comparing them vectorizes, and NaN has a
// place (above +inf or below -inf, by its sign).
inline int32_t order_key(float value) {
    const int32_t bits = std::bit_cast<int32_t>(value);
    return bits ^ ((bits >> 31) & 0x7fffffff);
}
inline float from_order_key(int32_t key) {
    return std::bit_cast<float>(key ^ ((key >> 31) & 0x7fffffff));
}

}  // namespace ingle::sampling
