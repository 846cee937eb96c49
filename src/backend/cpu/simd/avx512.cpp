// The matrix kernels for AVX-512 with VNNI.
#include <cstddef>
#include <cstdint>

#include "backend/cpu/gemm/kernel.h"
#include "base/simd/x86.h"
#include "base/float16.h"
#include "quant/all.h"

#if INGLE_X86

#include "base/simd/begin_avx512.h"

namespace ingle::cpu::avx512 {
namespace {

#include "backend/cpu/simd/vector_avx512.h"
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
}  // namespace ingle::cpu::avx512

#include "base/simd/end.h"

namespace ingle::cpu {

const IsaKernels& avx512_kernels() {
    return avx512::isa_kernels;
}

}  // namespace ingle::cpu

#else

namespace ingle::cpu {

const IsaKernels& avx512_kernels() {
    return baseline_kernels();
}

}  // namespace ingle::cpu

#endif
