#include "backend/cpu/roofs.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/simd/x86.h"
#include "base/platform.h"
#include "base/thread_pool.h"

namespace ingle::cpu {

namespace {

using Loop = void (*)(int64_t rounds, void* sink);

constexpr int accumulators = 12;

#if INGLE_X86
#include "base/simd/begin_avx512.h"
void int8_avx512(int64_t rounds, void* sink) {
    __m512i sums[accumulators], a = _mm512_set1_epi8(1), b = _mm512_set1_epi8(2);
    for (__m512i& sum : sums) sum = _mm512_setzero_si512();
    for (int64_t i = 0; i < rounds; ++i) {
        INGLE_UNROLL
        for (int j = 0; j < accumulators; ++j) sums[j] = _mm512_dpbusd_epi32(sums[j], a, b);
        asm volatile("" : "+v"(a), "+v"(b));
    }
    for (int j = 1; j < accumulators; ++j) sums[0] = _mm512_add_epi32(sums[0], sums[j]);
    _mm512_storeu_si512(sink, sums[0]);
}
void f32_avx512(int64_t rounds, void* sink) {
    __m512 sums[accumulators], a = _mm512_set1_ps(1), b = _mm512_set1_ps(2);
    for (__m512& sum : sums) sum = _mm512_setzero_ps();
    for (int64_t i = 0; i < rounds; ++i) {
        INGLE_UNROLL
        for (int j = 0; j < accumulators; ++j) sums[j] = _mm512_fmadd_ps(a, b, sums[j]);
        asm volatile("" : "+v"(a), "+v"(b));
    }
    for (int j = 1; j < accumulators; ++j) sums[0] = _mm512_add_ps(sums[0], sums[j]);
    _mm512_storeu_ps(sink, sums[0]);
}
#include "base/simd/end.h"
#include "base/simd/begin_avx2.h"
// Pairs of products added in 16 bits, which is as much as AVX2 has in one instruction; with the
// addition that follows.
void int8_avx2(int64_t rounds, void* sink) {
    __m256i sums[accumulators], a = _mm256_set1_epi8(1), b = _mm256_set1_epi8(2);
    for (__m256i& sum : sums) sum = _mm256_setzero_si256();
    for (int64_t i = 0; i < rounds; ++i) {
        INGLE_UNROLL
        for (int j = 0; j < accumulators; ++j)
            sums[j] = _mm256_add_epi16(sums[j], _mm256_maddubs_epi16(a, b));
        asm volatile("" : "+x"(a), "+x"(b));
    }
    for (int j = 1; j < accumulators; ++j) sums[0] = _mm256_add_epi32(sums[0], sums[j]);
    _mm256_storeu_si256(static_cast<__m256i*>(sink), sums[0]);
}
void f32_avx2(int64_t rounds, void* sink) {
    __m256 sums[accumulators], a = _mm256_set1_ps(1), b = _mm256_set1_ps(2);
    for (__m256& sum : sums) sum = _mm256_setzero_ps();
    for (int64_t i = 0; i < rounds; ++i) {
        INGLE_UNROLL
        for (int j = 0; j < accumulators; ++j) sums[j] = _mm256_fmadd_ps(a, b, sums[j]);
        asm volatile("" : "+x"(a), "+x"(b));
    }
    for (int j = 1; j < accumulators; ++j) sums[0] = _mm256_add_ps(sums[0], sums[j]);
    _mm256_storeu_ps(static_cast<float*>(sink), sums[0]);
}
#include "base/simd/end.h"
#endif

// Portable vectors of 4, multiplied and added one after the other.
void f32_baseline(int64_t rounds, void* sink) {
    using Vector = float __attribute__((vector_size(16)));
    Vector sums[accumulators] = {}, a = {1, 1, 1, 1}, b = {2, 2, 2, 2};
    for (int64_t i = 0; i < rounds; ++i) {
        INGLE_UNROLL
        for (int j = 0; j < accumulators; ++j) sums[j] += a * b;
        asm volatile("" : "+m"(a), "+m"(b));
    }
    for (int j = 1; j < accumulators; ++j) sums[0] += sums[j];
    __builtin_memcpy(sink, &sums[0], sizeof(Vector));
}

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// The best of several short windows, so that a neighbour's work counts little.
double best_rate(int threads, double work_per_thread, FunctionRef<void(int)> body) {
    ThreadPool pool(threads);
    double best = 0;
    for (int window = 0; window < 12; ++window) {
        const double start = seconds();
        pool.run(body);
        best = std::max(best, work_per_thread * threads / (seconds() - start));
    }
    return best;
}

double loop_roof(Loop loop, double operations_per_round, int threads) {
    constexpr int64_t rounds = 400000;
    return best_rate(threads, double(rounds) * operations_per_round * 1e-9, [&](int) {
        alignas(64) std::byte sink[64];
        loop(rounds, sink);
        asm volatile("" : : "m"(sink));
    });
}

}  // namespace

double int8_roof(Isa isa, int threads) {
#if INGLE_X86
    if (isa == Isa::avx512) return loop_roof(int8_avx512, accumulators * 128.0, threads);
    if (isa == Isa::avx2) return loop_roof(int8_avx2, accumulators * 64.0, threads);
#endif
    return f32_roof(isa, threads);  // the baseline multiplies codes as f32
}

double f32_roof(Isa isa, int threads) {
#if INGLE_X86
    if (isa == Isa::avx512) return loop_roof(f32_avx512, accumulators * 32.0, threads);
    if (isa == Isa::avx2) return loop_roof(f32_avx2, accumulators * 16.0, threads);
#endif
    return loop_roof(f32_baseline, accumulators * 8.0, threads);
}

double read_roof(int threads) {
    constexpr size_t bytes_per_thread = size_t(192) << 20;
    constexpr size_t stream = bytes_per_thread / 4;
    const size_t bytes = bytes_per_thread * size_t(threads);
    auto* const memory = static_cast<std::byte*>(platform::allocate_pages(bytes));
    if (memory == nullptr) return 0;
    for (size_t i = 0; i < bytes; i += 4096) memory[i] = std::byte(1);
    const double rate = best_rate(threads, double(bytes_per_thread) * 1e-9, [&](int thread) {
        using Vector = uint64_t __attribute__((vector_size(16)));
        const std::byte* const base = memory + bytes_per_thread * size_t(thread);
        Vector sum = {};
        for (size_t at = 0; at < stream; at += 64)
            for (size_t s = 0; s < 4; ++s) {
                const std::byte* const line = base + s * stream + at;
                __builtin_prefetch(line + 2048);
                Vector parts[4];
                __builtin_memcpy(parts, line, sizeof(parts));
                sum += parts[0] + parts[1] + parts[2] + parts[3];
            }
        asm volatile("" : : "m"(sum));
    });
    platform::free_pages(memory, bytes);
    return rate;
}

}  // namespace ingle::cpu
