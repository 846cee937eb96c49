// Whether this build is for x86-64, whose vector kernels are compiled by target pragmas, whatever
// the compiler's flags; and the compiler's spelling of what the kernels need.
#pragma once

#if defined(__x86_64__)
#define INGLE_X86 1
#include <immintrin.h>
#else
#define INGLE_X86 0
#endif

// Kernel text is inlined whole: a call would cost more than its body, and registers would go
// through memory.
#define INGLE_INLINE inline __attribute__((always_inline))
// Loops over registers of a tile, with a constant count.
#if defined(__clang__)
#define INGLE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define INGLE_UNROLL _Pragma("GCC unroll 16")
#endif
