#include "backend/cpu/ops/kernels/copy.h"

#define INGLE_KERNEL_NAMESPACE copy_kernel
#define INGLE_KERNEL_TEXT "backend/cpu/ops/kernels/copy_text.h"
#define INGLE_KERNEL_TABLE CopyKernels
#include "base/simd/instantiate.h"

namespace ingle::cpu {

const CopyKernels& copy_kernels(Isa isa) { return copy_kernel::table_for(isa); }

}  // namespace ingle::cpu
