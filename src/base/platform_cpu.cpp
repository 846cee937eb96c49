#include "base/platform_cpu.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>
#endif

namespace ingle::platform {

CpuidResult cpuid(uint32_t leaf, uint32_t subleaf) {
    CpuidResult result;
#if defined(__x86_64__) || defined(__i386__)
    if (!__get_cpuid_count(leaf, subleaf, &result.eax, &result.ebx, &result.ecx, &result.edx))
        return {};
#else
    (void)leaf, (void)subleaf;
#endif
    return result;
}

uint64_t xgetbv0() {
#if defined(__x86_64__) || defined(__i386__)
    uint32_t low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return uint64_t(high) << 32 | low;
#else
    return 0;
#endif
}

std::vector<int> affinity() {
    std::vector<int> processors;
#ifdef __linux__
    // The kernel refuses a mask smaller than its own: grow until it fits.
    for (int capacity = 1024; capacity <= 1 << 20; capacity *= 4) {
        cpu_set_t* const set = CPU_ALLOC(size_t(capacity));
        if (set == nullptr) return processors;
        const size_t bytes = CPU_ALLOC_SIZE(size_t(capacity));
        const bool fits = ::sched_getaffinity(0, bytes, set) == 0;
        if (fits)
            for (int cpu = 0; cpu < capacity; ++cpu)
                if (CPU_ISSET_S(size_t(cpu), bytes, set)) processors.push_back(cpu);
        CPU_FREE(set);
        if (fits) break;
    }
#endif
    return processors;
}

bool set_affinity(const std::vector<int>& processors) {
#ifdef __linux__
    int capacity = 1;
    for (const int cpu : processors)
        if (cpu >= capacity) capacity = cpu + 1;
    cpu_set_t* const set = CPU_ALLOC(size_t(capacity));
    if (set == nullptr) return false;
    const size_t bytes = CPU_ALLOC_SIZE(size_t(capacity));
    CPU_ZERO_S(bytes, set);
    for (const int cpu : processors)
        if (cpu >= 0) CPU_SET_S(size_t(cpu), bytes, set);
    const bool done = ::sched_setaffinity(0, bytes, set) == 0;
    CPU_FREE(set);
    return done;
#else
    (void)processors;
    return false;
#endif
}

bool set_priority(int level) {
#ifdef __linux__
    if (level >= 3) {
        const sched_param real_time = {.sched_priority = 50};
        return ::sched_setscheduler(0, SCHED_FIFO, &real_time) == 0;
    }
    // Of a thread, since on Linux PRIO_PROCESS takes its number; 0 is the caller.
    const int niceness = level < 0 ? 10 : level == 1 ? -5 : -10;
    return ::setpriority(PRIO_PROCESS, 0, niceness) == 0;
#else
    (void)level;
    return false;
#endif
}

int current_processor() {
#ifdef __linux__
    return ::sched_getcpu();
#else
    return -1;
#endif
}

}  // namespace ingle::platform
