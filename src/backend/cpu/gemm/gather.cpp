#include "backend/cpu/gemm/gather.h"

#include <algorithm>

#include "backend/cpu/gemm/kernel.h"

namespace ingle::cpu {

namespace {

int64_t tile_tokens(const Activations& a) { return kernels_of(a.isa).tile_columns / a.planes; }

// Calls f(the tile alone, its first token) for the tiles of a task.
template <class F>
void each_tile(const Activations& a, int64_t task, F&& f) {
    const int64_t end = std::min((task + 1) * fill_task_tokens(a), a.tokens);
    for (int64_t first = task * fill_task_tokens(a); first < end; first += tile_tokens(a)) {
        Activations tile = a;
        tile.tokens = std::min(tile_tokens(a), a.tokens - first);
        tile.data += first / tile_tokens(a) * tile_stride(a, kernels_of(a.isa).tile_columns);
        f(tile, first);
    }
}

}  // namespace

size_t gathered_floats(const Activations& shape) {
    return size_t(tile_tokens(shape) * shape.columns);
}

int64_t fill_task_tokens(const Activations& a) {
    const int64_t tiles = (a.tokens + tile_tokens(a) - 1) / tile_tokens(a);
    const int64_t tasks = fill_task_count(a);
    return (tiles + tasks - 1) / tasks * tile_tokens(a);
}

void fill_gathered(const Activations& a, int64_t task, const float* x, int64_t stride,
                   const int32_t* rows, float* gathered) {
    each_tile(a, task, [&](const Activations& tile, int64_t first) {
        for (int64_t t = 0; t < tile.tokens; ++t)
            std::copy_n(x + int64_t(rows[first + t]) * stride, a.columns, gathered + t * a.columns);
        kernels_of(a.isa).fill(tile, 0, gathered, a.columns);
    });
}

void fill_tokens(const Activations& a, int64_t task, const float* x, int64_t stride) {
    each_tile(a, task, [&](const Activations& tile, int64_t first) {
        kernels_of(a.isa).fill(tile, 0, x + first * stride, stride);
    });
}

}  // namespace ingle::cpu
