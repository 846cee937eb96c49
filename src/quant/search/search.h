// The searches of the block encoders, compiled for each instruction set. Sixteen trials run side by
// side, one in each lane, and every lane rounds as plain C would: the same blocks on every machine.
#pragma once

#include "base/simd/isa.h"
#include "quant/support/affine_super_block.h"
#include "quant/support/fit.h"
#include "quant/support/grid_search.h"
#include "quant/support/signed_super_block.h"
#include "quant/support/small_block.h"

namespace ingle::quant {

struct SearchKernels {
    // 32 values. The scale has either sign.
    ScaledBlock (*scaled)(const Target& target, const Levels& levels);
    ScaledBlock (*improved)(const Target& target, const Levels& levels, f16 known);
    LineBlock (*line)(const Target& target, int code_max);
    // 256 values.
    AffineSuperBlock (*affine)(const Target& target, const AffineShape& shape);
    SignedSuperBlock (*signed_scales)(const Target& target, const SignedShape& shape);
    // For codebooks: a sub-block at sixteen scales.
    void (*grid)(const GridTables& tables, const GridTrials& trials, GridResult& result);
};

const SearchKernels& search_kernels(cpu::Isa isa);
// Of the instruction set that this process uses.
const SearchKernels& search_kernels();

}  // namespace ingle::quant
