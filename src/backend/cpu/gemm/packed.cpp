#include "backend/cpu/gemm/packed.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "backend/cpu/gemm/kernel.h"
#include "quant/f32.h"

namespace ingle::cpu {

namespace {

// Packs a format that has no unpacker: one value of 16 rows after the other, as f32.
void pack_decoded(const PackedMatrix& shape, const std::byte* file_rows, int present,
                  std::byte* out) {
    constexpr int64_t values_max = 1024;
    float values[values_max];
    const int64_t block = shape.format->block_size;
    assert(block <= values_max);
    const int64_t step = values_max / block * block;
    const size_t row_bytes = file_row_bytes(shape);
    float* const floats = reinterpret_cast<float*>(out);
    for (int row = 0; row < present; ++row)
        for (int64_t first = 0; first < shape.columns; first += step) {
            const int64_t count = std::min(step, shape.columns - first);
            const std::byte* const from = file_rows + size_t(row) * row_bytes +
                                          size_t(first / block) * shape.format->block_bytes;
            shape.format->decode_row(from, count, values);
            for (int64_t k = 0; k < count; ++k) floats[(first + k) * group_rows + row] = values[k];
        }
}

const WeightKernel* find(const IsaKernels& kernels, uint32_t gguf_id) {
    for (const WeightKernel& kernel : kernels.formats)
        if (kernel.gguf_id == gguf_id) return &kernel;
    return nullptr;
}

WeightKernel make_reference_kernel(Isa isa) {
    WeightKernel kernel = *find(kernels_of(isa), quant::F32::gguf_id);
    kernel.pack = pack_decoded;
    return kernel;
}

}  // namespace

const IsaKernels& kernels_of(Isa isa) {
    static const IsaKernels* const tables[] = {&baseline_kernels(), &avx2_kernels(),
                                               &avx512_kernels()};
    return *tables[int(isa)];
}

const WeightKernel& reference_kernel(Isa isa) {
    static const WeightKernel kernels[] = {make_reference_kernel(Isa::baseline),
                                           make_reference_kernel(Isa::avx2),
                                           make_reference_kernel(Isa::avx512)};
    return kernels[int(isa)];
}

const WeightKernel& find_kernel(const quant::FormatInfo& format, Isa isa) {
    const WeightKernel* const kernel = find(kernels_of(isa), format.gguf_id);
    return kernel != nullptr ? *kernel : reference_kernel(isa);
}

ActivationKind activation_kind(const WeightKernel& kernel) {
    return kernel.kind;
}

PackedMatrix packed_shape(const WeightKernel& kernel, const quant::FormatInfo& format, int64_t rows,
                          int64_t columns) {
    const int64_t cells = (columns + kernel.cell_columns - 1) / kernel.cell_columns;
    const size_t group_bytes = (size_t(cells) * kernel.cell_bytes + 63) / 64 * 64;
    return {&kernel, &format, rows, columns, group_bytes, nullptr, 1, nullptr};
}

PackedMatrix groups_of(const PackedMatrix& matrix, int64_t first, int64_t last) {
    PackedMatrix part = matrix;
    part.rows = std::min(matrix.rows, last * group_rows) - first * group_rows;
    if (part.data != nullptr) part.data += size_t(first) * matrix.group_bytes;
    if (part.file_rows != nullptr)
        part.file_rows += size_t(first * group_rows) * file_row_bytes(matrix);
    return part;
}

void pack_group(const PackedMatrix& shape, int64_t group, const std::byte* file_rows,
                std::byte* out) {
    const int present = int(std::min<int64_t>(group_rows, shape.rows - group * group_rows));
    const bool partial = present < group_rows || shape.columns % padded_columns_multiple != 0;
    if (partial) std::memset(out, 0, shape.group_bytes);
    shape.kernel->pack(shape, file_rows, present, out);
}

void decode_row(const PackedMatrix& matrix, int64_t row, float* out) {
    matrix.kernel->decode(matrix, row, out);
    if (matrix.factor == 1) return;
    for (int64_t k = 0; k < matrix.columns; ++k) out[k] *= matrix.factor;
}

}  // namespace ingle::cpu
