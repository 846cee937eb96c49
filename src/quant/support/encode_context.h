// What an encoder may know beside the row itself. Everything is optional; {} means plain rounding error.
#pragma once

#include <span>

namespace ingle::quant {

struct EncodeContext {
    // One weight per column of the row (the mean square of that input), or empty: all columns alike.
    // Encoders minimise sum(importance * (decoded - value)^2). Negative or non-finite weights count as zero.
    std::span<const float> importance = {};
};

}  // namespace ingle::quant
