#include "gguf/tensor_type.h"

#include <gtest/gtest.h>

#include <vector>

#include "quant/support/format.h"
#include "support/fixtures.h"

namespace ingle::gguf {

using Dims = std::vector<uint64_t>;

TEST(TensorType, sizes_follow_from_blocks) {
    EXPECT_EQ(*tensor_bytes(0, Dims{3, 5}), 60u);
    EXPECT_EQ(*tensor_bytes(2, Dims{64, 2, 3}), 64u / 32 * 18 * 2 * 3);
    EXPECT_EQ(*tensor_bytes(14, Dims{256}), 210u);
    EXPECT_EQ(*tensor_bytes(40, Dims{64}), 36u);
    EXPECT_EQ(*tensor_bytes(0, Dims{}), 4u);
}

TEST(TensorType, a_row_must_be_whole_blocks) {
    EXPECT_EQ(tensor_bytes(12, Dims{255, 256}).status().message(),
              "expected rows of a multiple of 256 elements for Q4_K, found 255");
}

TEST(TensorType, overflow_of_elements_and_bytes_is_refused) {
    // 2^22 * (2^42 + 1) wraps to 2^22 in 64 bits.
    EXPECT_FALSE(tensor_bytes(0, Dims{1ull << 22, (1ull << 42) + 1}).ok());
    EXPECT_FALSE(tensor_bytes(0, Dims{1ull << 62}).ok());
    EXPECT_FALSE(tensor_bytes(24, Dims{1ull << 63}).ok());
    EXPECT_TRUE(tensor_bytes(24, Dims{(1ull << 63) - 1}).ok());
}

TEST(TensorType, removed_and_unknown_types_are_refused_by_name) {
    EXPECT_NE(tensor_bytes(31, Dims{32}).status().message().find("Q4_0_4_4"), std::string::npos);
    EXPECT_NE(tensor_bytes(36, Dims{32}).status().message().find("I2_S"), std::string::npos);
    EXPECT_EQ(tensor_bytes(43, Dims{32}).status().message(),
              "unknown type id 43, expected 0 to 42");
    for (const uint32_t id : {97u, 137u, 202u, 397u})
        EXPECT_NE(tensor_bytes(id, Dims{32}).status().message().find("private to ik_llama.cpp"),
                  std::string::npos)
            << id;
}

TEST(TensorType, removed_types_alone_have_no_sizes) {
    for (const TensorType& type : tensor_types) {
        EXPECT_EQ(type.removed.empty(), type.block_bytes != 0) << type.name;
        EXPECT_EQ(find_tensor_type(type.name), find_tensor_type(type.id)) << type.name;
    }
}

TEST(TensorType, every_weight_format_of_this_build_agrees_with_the_table) {
    ASSERT_GE(quant::all_formats().size(), 11u);
    for (const quant::FormatInfo& format : quant::all_formats()) {
        const TensorType* const type = find_tensor_type(format.gguf_id);
        ASSERT_NE(type, nullptr) << format.name;
        EXPECT_EQ(type->name, format.name);
        EXPECT_EQ(type->block_elements, uint64_t(format.block_size)) << format.name;
        EXPECT_EQ(type->block_bytes, format.block_bytes) << format.name;
    }
}

}  // namespace ingle::gguf
