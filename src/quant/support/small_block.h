// What Q4_0, Q5_0, Q8_0 and IQ4_NL share, and Q4_1 and Q5_1: 32 weights with one f16 scale, or with a
// scale and an offset.
//   ScaledBlock: value = scale * levels[code]            LineBlock: value = scale * code + offset
// search/scales_text.h and search/lines_text.h say how they are found.
#pragma once

#include <cstdint>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/levels.h"

namespace ingle::quant {

struct ScaledBlock {
    f16 scale;
    uint8_t codes[32];
};
struct LineBlock {
    f16 scale;  // at least 0
    f16 offset;
    uint8_t codes[32];
};

// Finds the best scale but for less than a thousandth of the error, so `in.effort` does not matter.
ScaledBlock fit_scaled_block(const EncodeBlock<32>& in, const Levels& levels);
// The best scale near one that is good already, for many levels.
ScaledBlock improve_scaled_block(const EncodeBlock<32>& in, const Levels& levels, f16 known);
LineBlock fit_line_block(const EncodeBlock<32>& in, int code_max);

}  // namespace ingle::quant
