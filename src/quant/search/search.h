// The searches of the block encoders, compiled for each instruction set. Sixteen trials run side by
// side, one in each lane, and every lane rounds as plain C would: the same blocks on every machine.
#pragma once

#include "base/simd/isa.h"
#include "quant/support/affine_super_block.h"
#include "quant/support/fit.h"
#include "quant/support/grid_search.h"
#include "quant/support/signed_super_block.h"

namespace ingle::quant {

struct SearchKernels {
    // The scale, of either sign, that codes n values (16 or 32) with these levels at least loss.
    float (*scale)(const float* values, const float* weights, int n, const Levels& levels);
    // The line for codes in [0, code_max] with an offset of at most offset_max.
    Line (*line)(const float* values, const float* weights, int n, int code_max, float offset_max);
    // 256 values.
    AffineSuperBlock (*affine)(const float* values, const float* weights, const AffineShape& shape);
    SignedSuperBlock (*signed_scales)(const float* values, const float* weights,
                                      const SignedShape& shape);
    // For codebooks: a sub-block at sixteen scales.
    void (*grid)(const GridTables& tables, const GridTrials& trials, GridResult& result);
};

const SearchKernels& search_kernels(cpu::Isa isa);
// Of the instruction set that this process uses.
const SearchKernels& search_kernels();

}  // namespace ingle::quant
