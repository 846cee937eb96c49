#include "tensor/kv_type.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ingle {

namespace {

constexpr KvTypeInfo types[] = {
    {KvType::f32, "f32", "F32", false, false, 0},
    {KvType::f16, "f16", "F16", false, false, 0},
    {KvType::bf16, "bf16", "BF16", false, false, 0},
    {KvType::q8_0, "q8_0", "Q8_0", true, false, 1},
    {KvType::q4_0, "q4_0", "Q4_0", true, true, 1},
    {KvType::q4_1, "q4_1", "Q4_1", true, true, 2},
    {KvType::q5_0, "q5_0", "Q5_0", true, true, 1},
    {KvType::q5_1, "q5_1", "Q5_1", true, true, 2},
    {KvType::iq4_nl, "iq4_nl", "IQ4_NL", true, true, 1},
};

constexpr int64_t run_values = 32;  // worked on together: a block, or as many single values
constexpr size_t run_bytes_max = run_values * sizeof(float);

// Calls f(first value, values of the row) for each run of a row.
template <class F>
void each_run(int64_t dim, F&& f) {
    for (int64_t at = 0; at < dim; at += run_values) f(at, std::min(run_values, dim - at));
}

int64_t whole_blocks(const quant::FormatInfo& format, int64_t values) {
    return (values + format.block_size - 1) / format.block_size * format.block_size;
}

// A run as bytes of the format, its last block filled up with zeros.
void encode(const quant::FormatInfo& format, const float* values, int64_t count, std::byte* out) {
    float padded[run_values] = {};
    std::copy_n(values, count, padded);
    format.encode_row(padded, whole_blocks(format, count), out, {});
}

void decode(const quant::FormatInfo& format, const std::byte* in, int64_t count, float* out) {
    float padded[run_values];
    format.decode_row(in, whole_blocks(format, count), padded);
    std::copy_n(padded, count, out);
}

// Where the bytes of a token's run lie among those of the page's other tokens. What belongs together stays together:
// calls f(offset in the run, offset in the page, bytes).
template <class F>
void each_key_part(const KvRows& rows, int64_t slot, int64_t at, int64_t count, F&& f) {
    const quant::FormatInfo& format = format_of(rows.type);
    const auto page = size_t(rows.page_tokens);
    const size_t bytes = size_t(whole_blocks(format, count) / format.block_size) * format.block_bytes;
    const size_t start = size_t(at / format.block_size) * format.block_bytes * page;
    const auto halves = size_t(info(rows.type).halves);
    const size_t unit = format.block_size == 1 ? format.block_bytes : 1;
    for (size_t i = 0; i < halves; ++i) f(2 * i, start + 2 * (i * page + size_t(slot)), size_t(2));
    for (size_t i = 2 * halves; i < bytes; i += unit)
        f(i, start + i * page + size_t(slot) * unit, unit);
}

template <class F>
void each_value_part(const KvRows& rows, int64_t slot, int64_t at, int64_t count, F&& f) {
    const quant::FormatInfo& format = format_of(rows.type);
    const auto page = size_t(rows.page_tokens);
    const size_t run = size_t(whole_blocks(format, count) / format.block_size) * format.block_bytes;
    const auto halves = size_t(info(rows.type).halves);
    const auto block = size_t(at / format.block_size);
    const auto blocks = size_t(whole_blocks(format, rows.dim) / format.block_size);
    for (size_t i = 0; i < halves; ++i)
        f(2 * i, 2 * ((block * halves + i) * page + size_t(slot)), size_t(2));
    const size_t rest = format.block_bytes - 2 * halves;  // of a block
    f(2 * halves, blocks * halves * 2 * page + (size_t(slot) * blocks + block) * rest,
      run - 2 * halves);
}

}  // namespace

std::span<const KvTypeInfo> all_kv_types() { return types; }

const KvTypeInfo& info(KvType type) { return types[size_t(type)]; }

const quant::FormatInfo& format_of(KvType type) {
    static const auto formats = [] {
        std::array<const quant::FormatInfo*, std::size(types)> all;
        for (const KvTypeInfo& each : types) all[size_t(each.type)] = quant::find_format(each.format);
        return all;
    }();
    return *formats[size_t(type)];
}

std::optional<KvType> find_kv_type(std::string_view name) {
    for (const KvTypeInfo& each : types)
        if (each.name == name) return each.type;
    return std::nullopt;
}

void KvRows::put_key(int64_t slot, const float* row) const {
    each_run(dim, [&](int64_t at, int64_t count) {
        std::byte bytes[run_bytes_max];
        encode(format_of(type), row + at, count, bytes);
        each_key_part(*this, slot, at, count, [&](size_t from, size_t to, size_t size) {
            std::memcpy(data + to, bytes + from, size);
        });
    });
}

void KvRows::put_value(int64_t slot, const float* row) const {
    each_run(dim, [&](int64_t at, int64_t count) {
        std::byte bytes[run_bytes_max];
        encode(format_of(type), row + at, count, bytes);
        each_value_part(*this, slot, at, count, [&](size_t from, size_t to, size_t size) {
            std::memcpy(data + to, bytes + from, size);
        });
    });
}

void KvRows::get_key(int64_t slot, float* row) const {
    each_run(dim, [&](int64_t at, int64_t count) {
        std::byte bytes[run_bytes_max];
        each_key_part(*this, slot, at, count, [&](size_t from, size_t to, size_t size) {
            std::memcpy(bytes + from, data + to, size);
        });
        decode(format_of(type), bytes, count, row + at);
    });
}

void KvRows::get_value(int64_t slot, float* row) const {
    each_run(dim, [&](int64_t at, int64_t count) {
        std::byte bytes[run_bytes_max];
        each_value_part(*this, slot, at, count, [&](size_t from, size_t to, size_t size) {
            std::memcpy(bytes + from, data + to, size);
        });
        decode(format_of(type), bytes, count, row + at);
    });
}

}  // namespace ingle
