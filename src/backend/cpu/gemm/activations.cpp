#include "backend/cpu/gemm/activations.h"

#include "backend/cpu/gemm/kernel.h"

namespace ingle::cpu {

namespace {

// Tiles of a fill task: whole tokens, about this many values, so that claiming a task costs little
// beside it.
constexpr int64_t fill_task_values = 8192;

int64_t tiles_per_task(const Activations& a, int tile_columns) {
    const int64_t values = a.columns * tile_columns;
    return values >= fill_task_values ? 1 : fill_task_values / (values > 0 ? values : 1);
}

int64_t tile_count(const Activations& a, int tile_columns) {
    return (column_count(a) + tile_columns - 1) / tile_columns;
}

}  // namespace

size_t activation_bytes(const Activations& a) {
    const int tile = kernels_of(a.isa).tile_columns;
    return size_t(tile_count(a, tile) * tile_stride(a, tile));
}

int64_t fill_task_count(const Activations& a) {
    const int tile = kernels_of(a.isa).tile_columns;
    const int64_t per_task = tiles_per_task(a, tile);
    return (tile_count(a, tile) + per_task - 1) / per_task;
}

void fill_activations(const Activations& a, int64_t task, const float* x, int64_t stride) {
    const IsaKernels& kernels = kernels_of(a.isa);
    const int64_t per_task = tiles_per_task(a, kernels.tile_columns);
    const int64_t tiles = tile_count(a, kernels.tile_columns);
    for (int64_t tile = task * per_task; tile < (task + 1) * per_task && tile < tiles; ++tile)
        kernels.fill(a, tile, x, stride);
}

}  // namespace ingle::cpu
