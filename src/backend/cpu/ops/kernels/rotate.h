// The inner part of rope, per instruction set.
#pragma once

#include <cstdint>

#include "base/simd/isa.h"

namespace ingle::cpu {

struct RotateKernels {
    // cosine[i], sine[i] of position * frequency[i], times magnitude, for n angles.
    void (*make_table)(float position, const float* frequency, float magnitude, int64_t n,
                       float* cosine, float* sine);
    // The same without a magnitude, the angles not rounded to f32.
    void (*make_exact_table)(double distance, const float* frequency, int64_t n, float* cosine,
                             float* sine);
    // Pairs (i, i + n) of a head: out = (a cos - b sin, a sin + b cos).
    void (*halves)(const float* x, const float* cosine, const float* sine, int64_t n, float* out);
    // Pairs (2i, 2i + 1).
    void (*neighbours)(const float* x, const float* cosine, const float* sine, int64_t n,
                       float* out);
};

const RotateKernels& rotate_kernels(Isa isa);

}  // namespace ingle::cpu
