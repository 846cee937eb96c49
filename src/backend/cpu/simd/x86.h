// Whether this build is for x86-64, whose vector kernels are compiled by target pragmas, whatever the compiler's flags.
#pragma once

#if defined(__x86_64__)
#define INGLE_X86 1
#include <immintrin.h>
#else
#define INGLE_X86 0
#endif
