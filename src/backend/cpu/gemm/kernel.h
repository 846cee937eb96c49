// What an instruction set offers to the dispatch in packed.cpp, activations.cpp and matmul.cpp: one
// table of functions, made by simd/NAME.cpp from the texts in this folder and the unpackers of
// every format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backend/cpu/gemm/activations.h"
#include "backend/cpu/gemm/matmul.h"
#include "backend/cpu/gemm/packed.h"

namespace ingle::cpu {

// Columns of a token fill whole cells: their number is rounded up to this, with zero codes.
inline constexpr int64_t padded_columns_multiple = 64;
inline constexpr int64_t scale_block = 32;  // columns that share an activation scale

// Where the pieces of int8 activations of one tile lie: codes, then one head per block.
//   head: scale[w], sums[3][w] f32 (of the activations themselves: of the block, of its first half,
// of
//         its second half); minus[3][w] int32 (minus the sums of the codes, likewise)
inline constexpr int64_t head_words = 7;
inline constexpr int head_sums = 1, head_minus = 4;  // where the threes begin
// Which of the three belongs to part `part` of a block that weights divide into `parts` of one
// scale.
constexpr int head_part(int parts, int part) { return parts == 1 ? 0 : 1 + part; }

// A token has one column per plane.
inline int64_t column_count(const Activations& a) {
    return a.tokens * a.planes;
}
inline int64_t padded_columns(const Activations& a) {
    return (a.columns + padded_columns_multiple - 1) / padded_columns_multiple *
           padded_columns_multiple;
}
// Bytes of one column in a tile.
inline int64_t column_bytes(const Activations& a) {
    if (a.kind == ActivationKind::f32) return a.columns * int64_t(sizeof(float));
    return padded_columns(a) + padded_columns(a) / scale_block * head_words * 4;
}
// Bytes from one tile to the next.
inline int64_t tile_stride(const Activations& a, int tile) {
    return (tile * column_bytes(a) + 63) / 64 * 64;
}

// One task of many columns: a panel of `groups` groups of rows times columns [first_column,
// last_column).
struct PanelTask {
    int64_t first_group = 0, groups = 0;
    int64_t first_column = 0, last_column = 0;
};
// Working memory of a panel: codes or values, scales, minima, accumulators (see panel.h).
inline constexpr int64_t panel_columns_max =
    252;  // columns of a PanelTask, a multiple of every tile and of 2 planes
inline constexpr int64_t int8_panel_depth = 4096;  // columns of the weights expanded at a time
inline constexpr int64_t f32_panel_depth = 1024;
inline constexpr size_t panel_bytes_max = 256 * 1024;  // of codes or values
inline constexpr size_t panel_scale_floats_max = int8_panel_depth / 16 * 2 * group_rows;
inline constexpr size_t accumulator_floats_max = 2 * size_t(panel_columns_max) * 2 * group_rows;
inline constexpr size_t panel_scratch_bytes =
    panel_bytes_max + (2 * panel_scale_floats_max + accumulator_floats_max) * sizeof(float);

struct WeightKernel {
    uint32_t gguf_id;
    Isa isa;
    ActivationKind kind;
    int64_t cell_columns;
    size_t cell_bytes;
    // Packs `present` file rows into one group (already zeroed if rows or columns are missing).
    void (*pack)(const PackedMatrix& shape, const std::byte* file_rows, int present,
                 std::byte* out);
    void (*decode)(const PackedMatrix& matrix, int64_t row, float* out);
    // At most one tile of columns, straight from the packed stream: groups [first, last).
    void (*direct)(const MatmulJob& job, int64_t first_group, int64_t last_group);
    // Any number of columns: the panel is expanded once into the scratch.
    void (*panel)(const MatmulJob& job, const PanelTask& task, std::byte* scratch);
};

struct IsaKernels {
    int tile_columns;  // columns of a tile of activations
    int panel_groups;  // groups of rows of a panel
    void (*fill)(const Activations& activations, int64_t tile, const float* x, int64_t stride);
    std::span<const WeightKernel> formats;
};

const IsaKernels& baseline_kernels();
const IsaKernels& avx2_kernels();
const IsaKernels& avx512_kernels();
const IsaKernels& kernels_of(Isa isa);

}  // namespace ingle::cpu
