#include "backend/cpu/ops/kernels/rms_norm.h"

#define INGLE_KERNEL_NAMESPACE rms_norm_kernel
#define INGLE_KERNEL_TEXT "backend/cpu/ops/kernels/rms_norm_text.h"
#define INGLE_KERNEL_TABLE RmsNormKernels
#include "base/simd/instantiate.h"

namespace ingle::cpu {

const RmsNormKernels& rms_norm_kernels(Isa isa) { return rms_norm_kernel::table_for(isa); }

}  // namespace ingle::cpu
