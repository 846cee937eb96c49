// The matrix kernels for any processor.
#include <cstddef>
#include <cstdint>

#include "backend/cpu/gemm/kernel.h"
#include "base/simd/x86.h"
#include "base/float16.h"
#include "quant/all.h"

namespace ingle::cpu::baseline {
namespace {

#include "backend/cpu/simd/vector_baseline.h"
//
#include "backend/cpu/gemm/cells.h"
#include "backend/cpu/gemm/fill.h"
#include "backend/cpu/gemm/finish.h"
#include "backend/cpu/gemm/folded.h"
//
#include "backend/cpu/gemm/direct.h"
#include "backend/cpu/gemm/panel.h"
#include "backend/cpu/gemm/table.h"
//
#include "backend/cpu/gemm/parts.h"
//
#include "cpu/unpackers.h"

constexpr IsaKernels isa_kernels = {tile_columns, panel_groups, fill, Unpackers::kernels};

}  // namespace
}  // namespace ingle::cpu::baseline

namespace ingle::cpu {

const IsaKernels& baseline_kernels() {
    return baseline::isa_kernels;
}

}  // namespace ingle::cpu
