// What Q3_K, Q6_K and IQ4_XS share: 256 weights in sub-blocks, each with a whole multiple of one
// f16 number of the super-block for its scale, and codes for ascending levels.
//   value = (scale * scales[b]) * levels[code]
#pragma once

#include <cstdint>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/iq4_levels.h"
#include "quant/support/levels.h"

namespace ingle::quant {

struct SignedShape {
    Levels levels;
    int sub_size;  // weights of a sub-block: 32 or 16
    int multiple_min, multiple_max;
};
inline constexpr SignedShape q6_k_shape = {uniform_levels(-32, 31, 0.84f, 1.09f), 16, -128, 127};
inline constexpr SignedShape q3_k_shape = {uniform_levels(-4, 3, 0.55f, 1.25f), 16, -32, 31};
inline constexpr SignedShape iq4_xs_shape = {uneven_levels(iq4_levels, 0.68f, 1.18f), 32, -32, 31};

struct SignedSuperBlock {
    f16 scale;
    int8_t scales[16];  // the first 256 / sub_size are used
    uint8_t codes[256];
};

// Encodes 256 values, minimising the weighted squared error (search/signed_text.h says how).
SignedSuperBlock fit_signed_super_block(const EncodeBlock<256>& in, const SignedShape& shape);

}  // namespace ingle::quant
