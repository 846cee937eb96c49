#include "quant/support/affine_super_block.h"

#include <algorithm>
#include <cmath>

#include "quant/search/search.h"

namespace ingle::quant {

PackedScales pack_scales(std::span<const uint8_t, 8> scales, std::span<const uint8_t, 8> mins) {
    PackedScales packed;
    for (int b = 0; b < 4; ++b) {
        packed.bytes[b] = uint8_t(scales[b] | scales[b + 4] >> 4 << 6);
        packed.bytes[b + 4] = uint8_t(mins[b] | mins[b + 4] >> 4 << 6);
        packed.bytes[b + 8] = uint8_t((scales[b + 4] & 15) | (mins[b + 4] & 15) << 4);
    }
    return packed;
}

namespace {

// The weights, raised for values far from zero; the largest stays at most 1, as searches want it.
void emphasise(std::span<const float, 256> values, std::span<const float, 256> weights,
               float emphasis, std::span<float, 256> out) {
    std::copy(weights.begin(), weights.end(), out.begin());
    float square_sum = 0;
    for (const float value : values) square_sum += value * value;
    if (emphasis == 0 || square_sum == 0) return;
    const float factor = emphasis * 256 / square_sum;
    float largest = 0;
    for (size_t i = 0; i < 256; ++i) {
        out[i] *= std::sqrt(1 + factor * values[i] * values[i]);
        largest = std::max(largest, out[i]);
    }
    for (float& weight : out) weight /= largest;
}

double error_of(const AffineSuperBlock& block, const AffineShape& shape,
                const EncodeBlock<256>& in) {
    const float scale = to_f32(block.scale), min_scale = to_f32(block.min_scale);
    double error = 0;
    for (int i = 0; i < 256; ++i) {
        const int b = i / shape.sub_size;
        const float value = scale * float(block.scales[b]) * float(block.codes[i]) -
                            min_scale * float(block.mins[b]);
        const double difference = double(value) - double(in.values[i]);
        error += double(in.weights[i]) * difference * difference;
    }
    return error;
}

}  // namespace

AffineSuperBlock fit_affine_super_block(const EncodeBlock<256>& in, const AffineShape& shape) {
    // What no block can reach, or only with its largest codes, would draw the others away.
    const float lowest = -65504.0f * float(shape.level_max);
    const float highest = -lowest * float(shape.code_max) / 2;
    float reachable[256];
    for (size_t i = 0; i < 256; ++i) reachable[i] = std::clamp(in.values[i], lowest, highest);
    float emphasised[256];
    emphasise(reachable, in.weights, shape.emphasis, emphasised);
    const auto fitted = [&](int effort) {
        return search_kernels().affine({reachable, emphasised, 256, effort}, shape);
    };
    AffineSuperBlock block = fitted(in.effort);
    if (in.effort == effort_min || shape.emphasis == 0) return block;
    // What is better for the raised weights shall not be worse for the given ones.
    const AffineSuperBlock fast = fitted(effort_min);
    return error_of(block, shape, in) <= error_of(fast, shape, in) ? block : fast;
}

}  // namespace ingle::quant
