// Matrix products, cut into tasks that threads claim.
//   out[t, r] = (dot(x[t], w[r]) * factor + bias[r]) + residual[t, r]
//
// Row r of token t depends on nothing but that token, that row and the instruction set: not on the
// number of tokens, the tasks or the threads. Int8 products are exact sums over the 32 or 16
// columns that share a scale, added in f32 along ascending columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backend/cpu/gemm/activations.h"
#include "backend/cpu/gemm/packed.h"
#include "base/thread_pool.h"

namespace ingle::cpu {

struct MatmulJob {
    const PackedMatrix* weights = nullptr;
    const Activations* activations =
        nullptr;                      // of the kind and instruction set of the weights' kernel
    float* out = nullptr;             // [tokens, rows]
    int64_t out_stride = 0;           // floats between tokens
    const float* bias = nullptr;      // [rows], or null
    const float* residual = nullptr;  // [tokens, rows] with residual_stride, or null; may be `out`
    int64_t residual_stride = 0;
};

// Working memory of one thread: scratch_bytes() of the weights at a 64-byte aligned address.
struct ThreadScratch {
    std::byte* data = nullptr;
};
size_t scratch_bytes(Isa isa);  // of any packed weights
size_t scratch_bytes(const PackedMatrix& weights);

// Of more columns than fit into one tile, a task takes at least as many as this, or all there are.
constexpr int64_t task_columns_min = 48;

int64_t task_count(const MatmulJob& job);
// Tasks write disjoint parts of `out`; each must be run exactly once.
void run_task(const MatmulJob& job, int64_t task, ThreadScratch scratch);

// Claims tasks of all jobs (one grid) until none is left. Every thread calls it with the same jobs
// and counter.
void run_tasks(std::span<const MatmulJob> jobs, TaskCounter& counter, ThreadScratch scratch);

}  // namespace ingle::cpu
