// What Q2_K, Q4_K and Q5_K share: 256 weights in sub-blocks, each with a small whole scale and
// minimum that count in units of two f16 numbers of the super-block.
//   value = (scale * scales[b]) * code - (min_scale * mins[b])
#pragma once

#include <cstdint>
#include <span>

#include "base/float16.h"
#include "quant/support/fit.h"

namespace ingle::quant {

// Eight pairs of 6-bit numbers in 12 bytes. Bytes 0-3 hold scales 0-3 and bytes 4-7 minima 0-3, in
// the low 6 bits; bytes 8-11 the low 4 bits of scales 4-7 and, above them, of minima 4-7. The top 2
// bits of bytes 0-3 complete scales 4-7, those of bytes 4-7 minima 4-7.
struct PackedScales {
    uint8_t bytes[12];

    int scale(int b) const {
        return b < 4 ? bytes[b] & 63 : (bytes[b + 4] & 15) | bytes[b - 4] >> 6 << 4;
    }
    int min(int b) const {
        return b < 4 ? bytes[b + 4] & 63 : bytes[b + 4] >> 4 | bytes[b] >> 6 << 4;
    }
};

PackedScales pack_scales(std::span<const uint8_t, 8> scales, std::span<const uint8_t, 8> mins);

struct AffineShape {
    int code_max;
    int sub_size;   // weights of a sub-block: 32 or 16
    int level_max;  // of the sub-blocks' scales and minima
    // Values far from zero count for more: weight * sqrt(1 + emphasis * value^2 / mean square of the super-block). With
    // few codes this brings models closer, at a little more plain error; with many it does not.
    float emphasis;
};
inline constexpr AffineShape q4_k_shape = {15, 32, 63, 1};
inline constexpr AffineShape q5_k_shape = {31, 32, 63, 0};
inline constexpr AffineShape q2_k_shape = {3, 16, 15, 1};

struct AffineSuperBlock {
    f16 scale;
    f16 min_scale;
    // 0 to level_max; the first 256 / sub_size are used
    uint8_t scales[16];
    uint8_t mins[16];
    uint8_t codes[256];
};

// Encodes 256 values, minimising the weighted squared error (search/affine_text.h says how).
AffineSuperBlock fit_affine_super_block(const EncodeBlock<256>& in, const AffineShape& shape);

inline PackedScales pack_scales(const AffineSuperBlock& block) {
    return pack_scales(std::span(block.scales).first<8>(), std::span(block.mins).first<8>());
}

}  // namespace ingle::quant
