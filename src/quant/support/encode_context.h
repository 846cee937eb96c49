// What an encoder may know beside the row itself. Everything is optional; {} is plain encoding.
#pragma once

#include <span>

namespace ingle::quant {

struct EncodeContext {
    // One weight per column of the row (the mean square of that input), or empty: all columns
    // alike. Encoders minimise sum(importance * (decoded - value)^2). A negative or non-finite
    // weight counts as zero; a block whose weights are all zero is encoded as if they were equal.
    std::span<const float> importance = {};
};

}  // namespace ingle::quant
