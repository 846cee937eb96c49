#include "backend/cpu/ops/kernels/rotate.h"

#define INGLE_KERNEL_NAMESPACE rotate_kernel
#define INGLE_KERNEL_TEXT "backend/cpu/ops/kernels/rotate_text.h"
#define INGLE_KERNEL_TABLE RotateKernels
#include "base/simd/instantiate.h"

namespace ingle::cpu {

const RotateKernels& rotate_kernels(Isa isa) { return rotate_kernel::table_for(isa); }

}  // namespace ingle::cpu
