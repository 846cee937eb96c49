#include "backend/cpu/ops/kernels/pointwise.h"

#define INGLE_KERNEL_NAMESPACE pointwise_kernel
#define INGLE_KERNEL_TEXT "backend/cpu/ops/kernels/pointwise_text.h"
#define INGLE_KERNEL_TABLE PointwiseKernels
#include "base/simd/instantiate.h"

namespace ingle::cpu {

const PointwiseKernels& pointwise_kernels(Isa isa) { return pointwise_kernel::table_for(isa); }

}  // namespace ingle::cpu
