#include "quant/support/affine_super_block.h"

#include <algorithm>

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

AffineSuperBlock fit_affine_super_block(std::span<const float, 256> values,
                                        std::span<const float, 256> weights,
                                        const AffineShape& shape) {
    // What no block can reach, or only with its largest codes, would draw the others away.
    const float lowest = -65504.0f * float(shape.level_max);
    const float highest = -lowest * float(shape.code_max) / 2;
    float reachable[256];
    for (size_t i = 0; i < 256; ++i) reachable[i] = std::clamp(values[i], lowest, highest);
    return search_kernels().affine(reachable, weights.data(), shape);
}

}  // namespace ingle::quant
