// How keys and values are stored. The quantized types are formats of quant/: 32 values of one token's head are a block.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "quant/support/format.h"

namespace ingle {

enum class KvType : uint8_t { f32, f16, bf16, q8_0, q4_0, q4_1, q5_0, q5_1, iq4_nl };

struct KvTypeInfo {
    KvType type;
    std::string_view name;    // as users write it
    std::string_view format;  // as files name it
    bool quantized;           // sink pages and a query's own page are kept as f16, too
    bool rotated;             // turned by a Hadamard matrix first, which spreads what stands out
    int halves;               // f16 numbers at the start of a block
};

std::span<const KvTypeInfo> all_kv_types();
const KvTypeInfo& info(KvType type);
const quant::FormatInfo& format_of(KvType type);
std::optional<KvType> find_kv_type(std::string_view name);

// Bytes of one token's head of `dim` values; quantized types fill up to whole blocks.
inline int64_t row_bytes(KvType type, int64_t dim) {
    const quant::FormatInfo& format = format_of(type);
    return (dim + format.block_size - 1) / format.block_size * int64_t(format.block_bytes);
}

// One head of a page in memory, slots counting tokens. Of a quantized type the f16 numbers of a block lie apart:
//   keys    [dim][page_tokens]; quantized: for each block of 32 along dim its f16 numbers [halves][page_tokens], then its
//           other bytes [bytes][page_tokens]
//   values  [page_tokens][dim]; quantized: f16 numbers [blocks][halves][page_tokens], then [page_tokens][blocks][bytes]
// Keys are stored transposed, so that the scores of a whole page are sums of vectors and never of lanes.
struct KvRows {
    KvType type = KvType::f16;
    std::byte* data = nullptr;
    int64_t dim = 0;
    int64_t page_tokens = 0;

    void put_key(int64_t slot, const float* row) const;
    void put_value(int64_t slot, const float* row) const;
    void get_key(int64_t slot, float* row) const;
    void get_value(int64_t slot, float* row) const;
};

}  // namespace ingle
