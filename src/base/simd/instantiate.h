// Compiles one kernel text once per instruction set, each in a namespace of its own with internal
// linkage.
//
//   #define INGLE_KERNEL_NAMESPACE gated_kernels          encloses everything
//   #define INGLE_KERNEL_TEXT "backend/cpu/..."           defines `constexpr Table table`
//   #define INGLE_KERNEL_TABLE Table                      a struct visible in ingle::cpu
//   #include "base/simd/instantiate.h"
//
// then `gated_kernels::table_for(isa)` is the table of that instruction set. A text sees
// floats_*.h and float_math.h, and uses nothing of the standard library: a shared template
// compiled here would run on processors it is not for.
#include "base/simd/isa.h"
#include "base/simd/x86.h"
#include "base/float16.h"

// clang-format off: the order of these includes matters
namespace ingle::cpu::INGLE_KERNEL_NAMESPACE {
namespace {

namespace baseline {
#include "base/simd/floats_baseline.h"
#include "base/simd/float_math.h"
#include INGLE_KERNEL_TEXT
}  // namespace baseline

#if INGLE_X86
#include "base/simd/begin_avx2.h"
namespace avx2 {
#include "base/simd/floats_avx2.h"
#include "base/simd/float_math.h"
#include INGLE_KERNEL_TEXT
}  // namespace avx2
#include "base/simd/end.h"
#include "base/simd/begin_avx512.h"
namespace avx512 {
#include "base/simd/floats_avx512.h"
#include "base/simd/float_math.h"
#include INGLE_KERNEL_TEXT
}  // namespace avx512
#include "base/simd/end.h"
#endif

}  // namespace
// clang-format on

#if INGLE_X86
static const INGLE_KERNEL_TABLE& table_for(Isa isa) {
    static constexpr const INGLE_KERNEL_TABLE* tables[] = {&baseline::table, &avx2::table,
                                                           &avx512::table};
    return *tables[int(isa)];
}
#else
static const INGLE_KERNEL_TABLE& table_for(Isa) {
    return baseline::table;
}
#endif

}  // namespace ingle::cpu::INGLE_KERNEL_NAMESPACE

#undef INGLE_KERNEL_NAMESPACE
#undef INGLE_KERNEL_TEXT
#undef INGLE_KERNEL_TABLE
