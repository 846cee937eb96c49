// Decoding against golden bytes of independent decoders, bit for bit, for every format.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "base/text.h"
#include "quant/support/format.h"
#include "support/each_format.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

std::filesystem::path golden(std::string_view name, std::string_view suffix) {
    return test::fixtures() / "quant" / cat(name, suffix);
}

std::vector<float> decoded(const quant::FormatInfo& format, std::string_view bytes) {
    std::vector<float> values(bytes.size() / format.block_bytes * size_t(format.block_size));
    format.decode_row(reinterpret_cast<const std::byte*>(bytes.data()), int64_t(values.size()),
                      values.data());
    return values;
}

}  // namespace

template <class Format>
void decodes_golden_blocks_bit_for_bit() {
    if (test::is_conversion<Format>) return;
    const auto blocks_path = golden(Format::name, ".blocks.bin");
    INGLE_NEEDS(blocks_path);
    const std::string blocks = test::bytes_of(blocks_path);
    const auto expected = test::array_of<float>(golden(Format::name, ".values.f32"));
    const auto values = decoded(*quant::find_format(Format::gguf_id), blocks);
    ASSERT_EQ(values.size(), expected.size());
    ASSERT_GE(values.size(), 32768u);
    for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(std::bit_cast<uint32_t>(values[i]), std::bit_cast<uint32_t>(expected[i]))
            << "value " << i << ": expected " << expected[i] << ", found " << values[i];
    }
}
TEST_EACH_FORMAT(decodes_golden_blocks_bit_for_bit)

template <class Format>
void blocks_need_no_alignment() {
    // Any bytes do for conversions, which have no file of their own.
    const auto path = golden(test::is_conversion<Format> ? "F16" : Format::name, ".blocks.bin");
    INGLE_NEEDS(path);
    const std::string blocks = test::bytes_of(path);
    const quant::FormatInfo& format = *quant::find_format(Format::gguf_id);
    const auto expected = decoded(format, blocks);
    const std::string moved = "x" + blocks;
    const auto values = decoded(format, std::string_view(moved).substr(1));
    EXPECT_EQ(std::memcmp(values.data(), expected.data(), values.size() * sizeof(float)), 0);
}
TEST_EACH_FORMAT(blocks_need_no_alignment)

}  // namespace ingle
