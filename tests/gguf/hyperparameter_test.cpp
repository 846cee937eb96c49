#include "gguf/hyperparameter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gguf/reader.h"
#include "support/fixtures.h"
#include "support/gguf_bytes.h"

namespace ingle::gguf {

namespace {

template <class T>
std::string refusal(const Result<T>& result) {
    return result.ok() ? "accepted" : result.status().message();
}

std::string impossible_text(std::string_view rest) {
    return cat("missing or impossible hyper-parameter ", rest);
}

}  // namespace

// Bug report 42: a valid file with an architecture, no tensors, and values that divided by zero.
TEST(Hyperparameter, row_42_impossible_values_are_named_with_what_was_expected_and_found) {
    test::GgufBytes bytes(0, 5);
    bytes.key("general.architecture", 8).text("llama");
    bytes.key("llama.attention.head_count", 4).u32(0);
    bytes.key("llama.attention.head_count_kv", 4).u32(9);
    bytes.key("llama.block_count", 4).u32(1u << 31);
    bytes.key("llama.context_length", 10).u64(0);
    const auto file = File::parse(bytes.span());
    ASSERT_OK(file);
    const Metadata& metadata = file->metadata();

    EXPECT_EQ(refusal(require_u32(metadata, "llama.attention.head_count", 1, 1024)),
              impossible_text("'llama.attention.head_count': expected 1 to 1024, found u32 0"));
    EXPECT_EQ(refusal(require_u32_per_layer(metadata, "llama.attention.head_count_kv", 2, 0, 8)),
              impossible_text("'llama.attention.head_count_kv': expected 0 to 8, found u32 9"));
    EXPECT_EQ(refusal(require_u32(metadata, "llama.block_count", 1, 4096)),
              impossible_text("'llama.block_count': expected 1 to 4096, found u32 2147483648"));
    EXPECT_EQ(refusal(optional_u32(metadata, "llama.context_length", 2048, 1, 1u << 30)),
              impossible_text("'llama.context_length': expected 1 to 1073741824, found u64 0"));
    EXPECT_EQ(refusal(require_u32(metadata, "llama.embedding_length", 1, 65536)),
              impossible_text("'llama.embedding_length': expected 1 to 65536, found nothing"));
}

TEST(Hyperparameter, missing_keys_take_their_fallback) {
    const Metadata metadata;
    EXPECT_EQ(*optional_u32(metadata, "llama.rope.dimension_count", 64, 1, 8), 64u);
    EXPECT_EQ(*optional_f32(metadata, "llama.rope.freq_base", 1e4f, 1, 1e9f), 1e4f);
    EXPECT_EQ(*optional_u32_per_layer(metadata, "llama.x", 2, 7, 0, 9),
              (std::vector<uint32_t>{7, 7}));
}

TEST(Hyperparameter, floats_must_be_numbers_in_range) {
    Metadata metadata;
    metadata.set("eps", 1e-5f);
    metadata.set("nan", std::nanf(""));
    metadata.set("inf", HUGE_VALF);
    EXPECT_EQ(*require_f32(metadata, "eps", 0, 1), 1e-5f);
    EXPECT_FALSE(require_f32(metadata, "nan", 0, 1).ok());
    EXPECT_FALSE(require_f32(metadata, "inf", 0, 3e38f).ok());
    EXPECT_FALSE(optional_f32(metadata, "eps", 1, 1e-3f, 1).ok());
}

TEST(Hyperparameter, a_per_layer_value_is_one_number_or_one_for_each_layer) {
    Metadata metadata;
    metadata.set("one", uint32_t(4));
    metadata.set("each", Array{std::vector<int32_t>{4, 0, 2}});
    metadata.set("negative", Array{std::vector<int32_t>{4, -1, 2}});
    EXPECT_EQ(*require_u32_per_layer(metadata, "one", 3, 1, 8), (std::vector<uint32_t>{4, 4, 4}));
    EXPECT_EQ(*require_u32_per_layer(metadata, "each", 3, 0, 8), (std::vector<uint32_t>{4, 0, 2}));
    EXPECT_EQ(refusal(require_u32_per_layer(metadata, "each", 3, 1, 8)),
              impossible_text("'each': expected 3 values of 1 to 8, found 0 for layer 1"));
    EXPECT_FALSE(require_u32_per_layer(metadata, "each", 2, 0, 8).ok());
    EXPECT_FALSE(require_u32_per_layer(metadata, "negative", 3, 0, 8).ok());
    EXPECT_FALSE(require_u32_per_layer(metadata, "none", 3, 0, 8).ok());
}

}  // namespace ingle::gguf
