// The table of formats: names, ids, sizes, and the visit that turns an id into a type.
#include <gtest/gtest.h>

#include <set>

#include "gguf/tensor_type.h"
#include "quant/support/format.h"
#include "quant/support/visit.h"
#include "support/each_format.h"

namespace ingle {

TEST(Formats, names_and_ids_are_unique_and_ascending) {
    std::set<std::string_view> names;
    std::set<uint32_t> ids;
    for (const auto& format : quant::all_formats()) {
        EXPECT_TRUE(names.insert(format.name).second) << format.name;
        EXPECT_TRUE(ids.empty() || format.gguf_id > *ids.rbegin()) << format.name;
        ids.insert(format.gguf_id);
    }
    EXPECT_EQ(names.size(), quant::All::size);
    EXPECT_GE(names.size(), 11u);
}

TEST(Formats, unknown_ids_and_names_are_not_found) {
    EXPECT_EQ(quant::find_format(4), nullptr);
    EXPECT_EQ(quant::find_format(UINT32_MAX), nullptr);
    EXPECT_EQ(quant::find_format(""), nullptr);
    EXPECT_EQ(quant::find_format("Q4"), nullptr);
    EXPECT_EQ(quant::find_format("Q4_KK"), nullptr);
    EXPECT_FALSE(quant::visit(4, []<class Format>() { FAIL() << Format::name; }));
}

TEST(Formats, names_are_found_in_any_letter_case) {
    ASSERT_NE(quant::find_format("q4_k"), nullptr);
    EXPECT_EQ(quant::find_format("q4_k"), quant::find_format(12));
    EXPECT_EQ(quant::find_format("Bf16"), quant::find_format(30));
}

// Widths from bug reports: a row that does not divide is a plain error that says so.
TEST(Formats, a_row_that_is_not_whole_blocks_is_refused_with_its_numbers) {
    const auto& q4_k = *quant::find_format("Q4_K");
    for (const int64_t columns : {64, 172, 2688, 32, 1}) {
        const auto bytes = quant::row_bytes(q4_k, columns);
        ASSERT_FALSE(bytes.ok()) << columns;
        EXPECT_EQ(bytes.status().message(),
                  cat("a row of Q4_K needs a multiple of 256 columns, found ", columns));
    }
    EXPECT_EQ(*quant::row_bytes(q4_k, 2560), 1440u);
    EXPECT_EQ(*quant::row_bytes(q4_k, 0), 0u);
    EXPECT_FALSE(quant::row_bytes(q4_k, -256).ok());
    const auto& f32 = *quant::find_format("F32");
    EXPECT_FALSE(quant::row_bytes(f32, INT64_MAX).ok());
    EXPECT_EQ(*quant::row_bytes(f32, 7), 28u);
}

template <class Format>
void the_table_says_what_the_type_says() {
    const quant::FormatInfo* const format = quant::find_format(Format::gguf_id);
    ASSERT_NE(format, nullptr);
    EXPECT_EQ(format, quant::find_format(Format::name));
    EXPECT_EQ(format->name, Format::name);
    EXPECT_EQ(format->block_size, Format::block_size);
    EXPECT_EQ(format->block_bytes, sizeof(typename Format::Block));
    EXPECT_EQ(*quant::row_bytes(*format, 3 * Format::block_size), 3 * format->block_bytes);
    std::string_view visited;
    EXPECT_TRUE(quant::visit(Format::gguf_id, [&]<class Found>() { visited = Found::name; }));
    EXPECT_EQ(visited, Format::name);
}
TEST_EACH_FORMAT(the_table_says_what_the_type_says)

template <class Format>
void the_sizes_are_those_of_gguf() {
    const gguf::TensorType* const type = gguf::find_tensor_type(Format::gguf_id);
    ASSERT_NE(type, nullptr);
    EXPECT_EQ(type->name, Format::name);
    EXPECT_EQ(type->block_elements, uint32_t(Format::block_size));
    EXPECT_EQ(type->block_bytes, sizeof(typename Format::Block));
}
TEST_EACH_FORMAT(the_sizes_are_those_of_gguf)

}  // namespace ingle
