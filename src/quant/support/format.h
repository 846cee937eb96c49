// What most code needs to know of a weight format: name, sizes, how to read and write a row.
// Formats themselves are types, one per file in src/quant; this table is made from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"
#include "quant/support/encode_context.h"

namespace ingle::quant {

struct FormatInfo {
    std::string_view name;  // as GGUF tools write it, e.g. "Q4_K"
    uint32_t gguf_id;
    int64_t block_size;  // values per block
    size_t block_bytes;  // bytes per block; blocks follow each other without padding

    // `values` is a multiple of block_size. Byte pointers need no alignment. Thread-safe.
    void (*decode_row)(const std::byte* blocks, int64_t values, float* out);
    // Defined for every float. Block formats store NaN as zero and saturate at their largest finite
    // value; F32, F16 and BF16 keep NaN and infinities. Importance: none, or one weight per value.
    void (*encode_row)(const float* row, int64_t values, std::byte* out,
                       const EncodeContext& context);

    double bits_per_weight() const { return 8.0 * double(block_bytes) / double(block_size); }
};

// Every format of this build, ascending by GGUF id.
std::span<const FormatInfo> all_formats();

// By GGUF tensor type id, or by name in any letter case; null if this build has no such format.
const FormatInfo* find_format(uint32_t gguf_id);
const FormatInfo* find_format(std::string_view name);

// Bytes of one row of `columns` values. Fails if that is no whole number of blocks, or too large.
Result<uint64_t> row_bytes(const FormatInfo& format, int64_t columns);

}  // namespace ingle::quant
