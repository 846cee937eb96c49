// Functions of one or two rows of values, element by element, per instruction set.
#pragma once

#include <cstdint>

#include "base/simd/isa.h"
#include "ops/support/activation.h"

namespace ingle::cpu {

struct PointwiseKernels {
    // out[i] = f(a[i], b[i]) for n elements.
    using Binary = void (*)(const float* a, const float* b, int64_t n, float* out);
    // out[i] = f(x[i]); `parameter` is the factor or the cap, where there is one.
    using Unary = void (*)(const float* x, float parameter, int64_t n, float* out);

    Binary add;
    Binary mul;
    Unary scale;
    Unary softcap;
    // By ops::Activation: f(x), and f(gate) * up.
    Unary activate[2];
    Binary gated[2];
};

const PointwiseKernels& pointwise_kernels(Isa isa);

// Whether the tables above have this activation.
inline bool has_kernel(ops::Activation a) {
    return a == ops::Activation::silu || a == ops::Activation::gelu_tanh;
}

}  // namespace ingle::cpu
