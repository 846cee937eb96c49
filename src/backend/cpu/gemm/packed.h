// Weights as the kernels read them: groups of 16 rows, interleaved, same bits as the file ("R16").
//
//   matrix: groups of 16 rows, ascending; missing rows of the last group are zero
//   group:  cells of 64, 128 or 256 columns, ascending; groups are 64-byte aligned
//   cell:   scales (and minima) of the 16 rows, then codes: 4 columns of 16 rows = 64 codes side by
//           side
// The unpack/ file of a format says what its cell looks like. A format without such a file is
// packed as f32.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/gemm/activations.h"
#include "base/simd/isa.h"
#include "quant/support/format.h"

namespace ingle::cpu {

inline constexpr int group_rows = 16;

// The kernels of one format on one instruction set; see gemm/kernel.h.
struct WeightKernel;

// The kernel for weights stored in `format`. Every format has one.
const WeightKernel& find_kernel(const quant::FormatInfo& format, Isa isa = best_isa());
// The kernel that keeps any format as decoded f32 and multiplies it with f32 activations: slow,
// large, exact.
const WeightKernel& reference_kernel(Isa isa = best_isa());
// What the products with this kernel's weights need.
ActivationKind activation_kind(const WeightKernel& kernel);

// Weights [rows, columns]. The memory is the caller's.
struct PackedMatrix {
    const WeightKernel* kernel = nullptr;
    const quant::FormatInfo* format = nullptr;  // of the file's rows
    int64_t rows = 0;
    int64_t columns = 0;
    size_t group_bytes = 0;
    const std::byte* data = nullptr;  // 64-byte aligned, packed_bytes() long
    float factor = 1;                 // of all values: products are multiplied by it at their end
    // Where `data` is null: the rows as they lie in the file, packed anew for every product.
    const std::byte* file_rows = nullptr;
};

// A matrix without its data yet.
PackedMatrix packed_shape(const WeightKernel& kernel, const quant::FormatInfo& format, int64_t rows,
                          int64_t columns);
inline int64_t group_count(const PackedMatrix& matrix) {
    return (matrix.rows + group_rows - 1) / group_rows;
}
inline size_t packed_bytes(const PackedMatrix& matrix) {
    return size_t(group_count(matrix)) * matrix.group_bytes;
}
inline size_t file_row_bytes(const PackedMatrix& matrix) {
    return size_t(matrix.columns / matrix.format->block_size) * matrix.format->block_bytes;
}
// The groups [first, last) as a matrix of their own, packed or not.
PackedMatrix groups_of(const PackedMatrix& matrix, int64_t first, int64_t last);

// Packs rows 16 * group ... into `out` (the group's `group_bytes`, 64-byte aligned). `file_rows`
// holds those rows (16, or fewer in the last group) one after the other as in the file. Groups may
// be packed by several threads in any order.
void pack_group(const PackedMatrix& shape, int64_t group, const std::byte* file_rows,
                std::byte* out);

// Row `row` as f32 [columns], the same bits as quant's decoding of the file's row times the factor.
void decode_row(const PackedMatrix& matrix, int64_t row, float* out);

}  // namespace ingle::cpu
