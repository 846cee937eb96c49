// A weight as it lies in its file (or in memory): [rows, columns] of one format, rows contiguous.
// The bytes are the source of truth; a backend's packed form is private to the backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/file.h"
#include "base/status.h"
#include "quant/support/format.h"

namespace ingle {

struct WeightSource {
    std::string name;
    const quant::FormatInfo* format = nullptr;
    int64_t rows = 0;
    int64_t columns = 0;
    // Multiplies every decoded value: NVFP4 tensors may have one beside them.
    float factor = 1;
    // Where the bytes are: at a place in a mapped file, or in memory that `keeper` (if any) keeps alive.
    const MappedFile* file = nullptr;
    uint64_t file_offset = 0;
    std::span<const std::byte> memory = {};
    std::shared_ptr<const void> keeper = {};

    size_t row_bytes() const {
        return size_t(columns / format->block_size) * format->block_bytes;
    }
    uint64_t bytes_total() const { return uint64_t(rows) * row_bytes(); }

    // The stored rows; touching them may read the disk.
    std::span<const std::byte> stored() const {
        if (file == nullptr) return memory;
        return file->bytes().subspan(file_offset, bytes_total());
    }
    const std::byte* row(int64_t r) const { return stored().data() + size_t(r) * row_bytes(); }
    void decode_row(int64_t r, float* out) const;

    // Copies rows [first, first + count) with ordinary reads; `out` holds count * row_bytes().
    Status read_rows(int64_t first, int64_t count, std::byte* out) const;
};

// A weight of f32 values made by the program itself, e.g. rope frequencies: [rows, columns].
WeightSource constant_weight(std::string name, std::span<const float> values, int64_t rows = 1);

}  // namespace ingle
