// What Q3_K and IQ4_XS share: 256 weights in sub-blocks, each with a whole scale from -32 to 31
// that counts in units of one f16 number of the super-block, and codes for ascending levels.
//   value = (scale * scales[b]) * levels[code]
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/float16.h"

namespace ingle::quant {

struct SignedSuperBlock {
    f16 scale;
    std::array<int8_t, 16> scales;  // the first 256 / sub_size are used
    std::array<uint8_t, 256> codes;
};

// Encodes 256 values, minimising the weighted squared error: a scale per sub-block
// (fit_level_scale), rounded to a whole number, that tried one step up and down, then the f16 scale
// by least squares for all codes at once.
SignedSuperBlock fit_signed_super_block(std::span<const float, 256> values,
                                        std::span<const float, 256> weights,
                                        std::span<const float> levels, int sub_size);

}  // namespace ingle::quant
