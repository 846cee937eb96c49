// The processor, behind a few plain functions: the only other place in the core with #if on the
// platform.
#pragma once

#include <cstdint>
#include <vector>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace ingle::platform {

struct CpuidResult {
    uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};
// All zero if the processor has no such leaf or is no x86.
CpuidResult cpuid(uint32_t leaf, uint32_t subleaf);
// Extended control register 0: which register states the system saves. Only after checking OSXSAVE.
uint64_t xgetbv0();

// The logical processors that the calling thread may run on; empty if the system cannot say.
std::vector<int> affinity();
// Lets the calling thread run on these only. False if the system refuses.
bool set_affinity(const std::vector<int>& processors);
// Priority of the calling thread: -1 low, 1 medium, 2 high, 3 real time. False if the system refuses.
bool set_priority(int level);
// The logical processor that the calling thread runs on now; -1 if the system cannot say.
int current_processor();

// Tells the processor that this thread spins.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
}

}  // namespace ingle::platform
