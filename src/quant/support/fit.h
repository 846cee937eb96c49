// What block encoders share: their input, made ready for searches, and rounding.
#pragma once

#include <cstddef>
#include <span>

#include "base/float16.h"
#include "quant/support/encode_context.h"

namespace ingle::quant {

// No block format reaches beyond +-2^28 (65504 * 128 * 32 in Q6_K), and none keeps a value below
// 2^-26 (a quarter of the smallest f16), so nothing is lost by these limits; they keep every sum
// finite.
inline constexpr float magnitude_max = 0x1p28f;
inline constexpr float magnitude_min = 0x1p-26f;

// The nearest whole number in [low, high], ties to even; NaN gives low. Bounds are below 2^22.
inline float round_level(float value, float low, float high) {
    value = value > low ? value : low;
    value = value < high ? value : high;
    // Adding 1.5 * 2^23 leaves no room for a fraction. Unlike std::round this vectorises.
    return (value + 0x1.8p23f) - 0x1.8p23f;
}
inline int round_code(float value, int low, int high) {
    return int(round_level(value, float(low), float(high)));
}

// Rounds to half precision; what would become infinite is the largest finite half instead.
inline f16 to_finite_f16(float value) {
    value = value > -65504.0f ? value : -65504.0f;
    return to_f16(value < 65504.0f ? value : 65504.0f);
}

// The unit in which `peak` (of either sign) is about level_max levels and never rounds to more:
// where halves are coarse, below 2^-14, the nearest one may be too small or zero.
inline f16 unit_of(float peak, int level_max) {
    f16 unit = to_finite_f16(peak / float(level_max));
    const float reach = to_f32(unit) * (float(level_max) + 0.5f);
    const bool largest = (unit.bits & 0x7fff) == 0x7bff;
    if (!largest && reach * reach < peak * peak) ++unit.bits;
    return unit;
}

// 1 / scale, or 0 where the scale is too small to divide by.
inline float inverse_of(float scale) {
    return scale > -0x1p-60f && scale < 0x1p-60f ? 0.0f : 1.0f / scale;
}

// term(0) + ... + term(count - 1) as eight partial sums, so that it vectorises; count % 8 == 0.
template <class Term>
float sum_terms(size_t count, Term term) {
    float lanes[8] = {};
    for (size_t i = 0; i < count; i += 8) {
        for (size_t j = 0; j < 8; ++j) lanes[j] += term(i + j);
    }
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
           ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

// Block number `index` of a row as encoders want it: values finite (NaN is 0) and within
// magnitude_max, weights at least 0, not all 0, at most 1.
void load_block(std::span<const float> row, const EncodeContext& context, size_t index,
                std::span<float> values, std::span<float> weights);

// Values to be coded, as searches take them: sum(weight * (decoded - value)^2) shall be small.
struct Target {
    const float* values;
    const float* weights;
    int count;
    int effort = effort_min;
};

template <int block_size>
struct EncodeBlock {
    alignas(32) float values[block_size];
    alignas(32) float weights[block_size];
    int effort;

    EncodeBlock(std::span<const float> row, const EncodeContext& context, size_t index)
        : effort(context.effort) {
        load_block(row, context, index, values, weights);
    }
    Target target() const { return {values, weights, block_size, effort}; }
};

}  // namespace ingle::quant
