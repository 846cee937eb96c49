// What an encoder may know beside the row itself. Everything is optional; {} is plain encoding.
#pragma once

#include <span>

namespace ingle::quant {

// How long encoders search. 1 is fast; 2 and 3 try more and lose less, 3 the least.
inline constexpr int effort_min = 1, effort_max = 3;

struct EncodeContext {
    // One weight per column of the row (the mean square of that input), or empty: all columns
    // alike. Encoders minimise sum(importance * (decoded - value)^2). A negative or non-finite
    // weight counts as zero; a block whose weights are all zero is encoded as if they were equal.
    std::span<const float> importance = {};
    int effort = effort_min;
};

}  // namespace ingle::quant
