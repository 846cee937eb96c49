// What this machine can do at most, measured now: shared machines change by the minute, so a
// kernel's speed is only worth something beside the roofs of the same run.
#pragma once

#include "base/simd/isa.h"

namespace ingle::cpu {

// Int8 multiply-adds from registers alone, on `threads` threads at once, in Gop/s (a multiply-add
// is two).
double int8_roof(Isa isa, int threads);
// f32 multiply-adds likewise, in Gflop/s.
double f32_roof(Isa isa, int threads);
// Reading memory far larger than the caches, each thread four streams of its own with prefetch, in
// GB/s.
double read_roof(int threads);

}  // namespace ingle::cpu
