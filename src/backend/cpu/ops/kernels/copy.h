// Stores of f32 values in the types of the KV cache, per instruction set.
#pragma once

#include <cstdint>

#include "base/simd/isa.h"
#include "base/float16.h"

namespace ingle::cpu {

struct CopyKernels {
    // n values, rounded to nearest even.
    void (*to_half)(const float* x, int64_t n, f16* out);
};

const CopyKernels& copy_kernels(Isa isa);

}  // namespace ingle::cpu
