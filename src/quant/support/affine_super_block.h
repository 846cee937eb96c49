// What Q4_K and Q5_K share: 256 weights in 8 sub-blocks of 32, each with a 6-bit scale and a 6-bit
// minimum that count in units of two f16 numbers of the super-block.
//   value = (scale * scales[b]) * code - (min_scale * mins[b])
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/float16.h"

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

struct AffineSuperBlock {
    f16 scale;
    f16 min_scale;
    std::array<uint8_t, 8> scales;  // 0 to 63
    std::array<uint8_t, 8> mins;    // 0 to 63
    std::array<uint8_t, 256> codes;
};

// Encodes 256 values to codes in [0, code_max], minimising the weighted squared error: a line per
// sub-block (fit_line), its two numbers rounded to 6 bits, those tried one step up and down, then
// the two f16 scales by least squares for all codes at once.
AffineSuperBlock fit_affine_super_block(std::span<const float, 256> values,
                                        std::span<const float, 256> weights, int code_max);

}  // namespace ingle::quant
