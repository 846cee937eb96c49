// The table of formats, made from the list of types.
#include "quant/support/format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "base/checked.h"
#include "quant/all.h"
#include "quant/support/fit.h"

namespace ingle::quant {

static_assert(std::endian::native == std::endian::little, "blocks are used as they lie in files");

namespace {

template <class Format>
void decode_row(const std::byte* blocks, int64_t values, float* out) {
    using Block = typename Format::Block;
    assert(values % Format::block_size == 0);
    for (int64_t i = 0; i < values; i += Format::block_size, blocks += sizeof(Block)) {
        // A copy, because a mapped file promises no alignment, and so that `out` cannot alias it.
        Block block;
        std::memcpy(&block, blocks, sizeof(Block));
        Format::decode(block, std::span<float, Format::block_size>(out + i, Format::block_size));
    }
}

template <class Format>
void encode_row(const float* row, int64_t values, std::byte* out, const EncodeContext& context) {
    using Block = typename Format::Block;
    assert(values % Format::block_size == 0);
    assert(context.importance.empty() || context.importance.size() == size_t(values));
    const auto count = size_t(values / Format::block_size);
    for (size_t b = 0; b < count; ++b, out += sizeof(Block)) {
        Block block;
        if constexpr (requires { Format::encode(0.0f); })
            block = Format::encode(row[b]);
        else
            block = Format::encode(
                EncodeBlock<Format::block_size>(std::span(row, size_t(values)), context, b));
        std::memcpy(out, &block, sizeof(Block));
    }
}

template <class... Formats>
auto table(List<Formats...>) {
    std::array<FormatInfo, sizeof...(Formats)> formats = {FormatInfo{
        Formats::name, Formats::gguf_id, Formats::block_size, sizeof(typename Formats::Block),
        decode_row<Formats>, encode_row<Formats>}...};
    std::sort(formats.begin(), formats.end(),
              [](const FormatInfo& a, const FormatInfo& b) { return a.gguf_id < b.gguf_id; });
    return formats;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() && starts_with_ignoring_case(a, b);
}

}  // namespace

std::span<const FormatInfo> all_formats() {
    static const auto formats = table(All{});
    return formats;
}

const FormatInfo* find_format(uint32_t gguf_id) {
    for (const FormatInfo& format : all_formats()) {
        if (format.gguf_id == gguf_id) return &format;
    }
    return nullptr;
}

const FormatInfo* find_format(std::string_view name) {
    for (const FormatInfo& format : all_formats()) {
        if (equal_ignoring_case(format.name, name)) return &format;
    }
    return nullptr;
}

Result<uint64_t> row_bytes(const FormatInfo& format, int64_t columns) {
    if (columns < 0 || columns % format.block_size != 0) {
        return fail(Code::invalid_argument, "a row of ", format.name, " needs a multiple of ",
                    format.block_size, " columns, found ", columns);
    }
    const auto bytes = checked_mul(uint64_t(columns / format.block_size), format.block_bytes);
    if (!bytes) {
        return fail(Code::invalid_argument, "a row of ", columns, " columns in ", format.name,
                    " is larger than 2^64 bytes");
    }
    return *bytes;
}

}  // namespace ingle::quant
