// The inner part of rms_norm, per instruction set.
#pragma once

#include <cstdint>

#include "base/simd/isa.h"

namespace ingle::cpu {

struct RmsNormKernels {
    // One group of n columns: out = x / sqrt(mean(x^2) + eps) * weight.
    void (*normalize)(const float* x, const float* weight, int64_t n, float eps, float* out);
};

const RmsNormKernels& rms_norm_kernels(Isa isa);

}  // namespace ingle::cpu
