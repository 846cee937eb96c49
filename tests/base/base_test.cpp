#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/byte_size.h"
#include "base/checked.h"
#include "base/float16.h"
#include "base/option.h"
#include "base/platform.h"
#include "base/random.h"
#include "base/utf8.h"
#include "support/fixtures.h"

namespace ingle {

TEST(Float16, every_half_survives_the_way_through_float) {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const f16 half{uint16_t(bits)};
        if (std::isnan(to_f32(half))) continue;
        EXPECT_EQ(to_f16(to_f32(half)).bits, bits);
    }
}

TEST(Float16, rounding_is_to_nearest_even) {
    EXPECT_EQ(to_f16(1.0f + 0x1p-11f).bits, 0x3c00);        // tie to even below
    EXPECT_EQ(to_f16(1.0f + 0x1.8p-10f).bits, 0x3c02);      // tie to even above
    EXPECT_EQ(to_f16(65520.0f).bits, 0x7c00);               // rounds up to infinity
    EXPECT_EQ(to_f16(65519.0f).bits, 0x7bff);
    EXPECT_EQ(to_f16(0x1p-25f).bits, 0x0000);               // tie to zero
    EXPECT_EQ(to_f16(0x1.000002p-25f).bits, 0x0001);
    EXPECT_EQ(to_bf16(std::bit_cast<float>(0x3f808000u)).bits, 0x3f80);
    EXPECT_EQ(to_bf16(std::bit_cast<float>(0x3f818000u)).bits, 0x3f82);
}

TEST(Checked, overflow_gives_nothing) {
    EXPECT_EQ(checked_mul(1ull << 32, 1ull << 31), 1ull << 63);
    EXPECT_FALSE(checked_mul(1ull << 32, 1ull << 32));
    EXPECT_FALSE(checked_add(UINT64_MAX, 1));
    EXPECT_FALSE(checked_align(UINT64_MAX - 3, 32));
    EXPECT_EQ(checked_align(33, 32), 64u);
}

TEST(Utf8, broken_text_is_replaced_part_by_part) {
    EXPECT_EQ(utf8::replace_invalid("a\xf0\x9f\xa6\x99z"), "a\xf0\x9f\xa6\x99z");
    EXPECT_EQ(utf8::replace_invalid("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    EXPECT_EQ(utf8::replace_invalid("\xf0\x9f\xa6|"), "\xef\xbf\xbd|");
    EXPECT_EQ(utf8::replace_invalid("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Utf8, an_incomplete_tail_is_counted) {
    EXPECT_EQ(utf8::incomplete_tail("ab"), 0u);
    EXPECT_EQ(utf8::incomplete_tail("ab\xf0\x9f\xa6"), 3u);
    EXPECT_EQ(utf8::incomplete_tail("ab\xe2"), 1u);
    EXPECT_EQ(utf8::incomplete_tail("\x80\x80"), 0u);
    EXPECT_EQ(utf8::incomplete_tail("\xf0\x9f\xa6\x99"), 0u);
}

TEST(Option, values_are_checked_against_their_declaration) {
    OptionValues values({{.name = "top_k", .flags = "--top-k", .placeholder = "N",
                          .default_value = int64_t(40), .help = "", .min = 0},
                         {.name = "jinja", .flags = "--jinja", .placeholder = "",
                          .default_value = false, .help = ""}});
    EXPECT_EQ(values.integer("top_k"), 40);
    EXPECT_FALSE(values.given("top_k"));
    EXPECT_OK(values.set_text("top_k", "5"));
    EXPECT_EQ(values.integer("top_k"), 5);
    const Status bad = values.set_text("top_k", "-3");
    EXPECT_EQ(bad.message(), "--top-k: expected a whole number of at least 0, found '-3'");
    EXPECT_EQ(values.integer("top_k"), 5);
    EXPECT_OK(values.set_text("jinja", "enabled"));
    EXPECT_TRUE(values.flag("jinja"));
    EXPECT_FALSE(values.set_text("jinja", "maybe").ok());
}

TEST(Text, the_closest_word_is_suggested) {
    EXPECT_EQ(closest("tokenise", {"tokenize", "detokenize", "run"}), "tokenize");
    EXPECT_EQ(closest("rnu", {"tokenize", "run"}), "run");  // neighbours exchanged
    EXPECT_EQ(closest("xyz", {"tokenize", "run"}), "");
}

TEST(Text, numbers_need_the_whole_text) {
    EXPECT_EQ(parse_int("12"), 12);
    EXPECT_FALSE(parse_int("12a"));
    EXPECT_EQ(parse_real("0.25"), 0.25);
    EXPECT_FALSE(parse_real("0,25"));
    EXPECT_FALSE(parse_real(" 1"));
    EXPECT_EQ(cat("x=", 0.1, " n=", 3, ' ', true), "x=0.1 n=3 true");
}

TEST(Random, the_sequence_is_the_published_one) {
    Random random(0);
    EXPECT_EQ(random.next(), 5987356902031041503ull);
    for (int i = 0; i < 1000; ++i) EXPECT_LT(random.below(7), 7u);
}

TEST(Platform, what_lies_beside_discarded_memory_stays) {
    constexpr size_t bytes = 5 * 4096;
    auto* const memory = static_cast<unsigned char*>(platform::allocate_pages(bytes));
    ASSERT_NE(memory, nullptr);
    std::fill_n(memory, bytes, 7);
    platform::discard_pages(memory + 6144, 6144);
    for (size_t i = 0; i < bytes; ++i) {
        if (i < 6144 || i >= 2 * 6144) {
            ASSERT_EQ(memory[i], 7) << i;
        }
    }
    platform::free_pages(memory, bytes);
}

TEST(Text, sizes_are_read_in_powers_of_1024) {
    EXPECT_EQ(parse_bytes("4096"), 4096u);
    EXPECT_EQ(parse_bytes("6G"), 6ull << 30);
    EXPECT_EQ(parse_bytes("1.5 GiB"), 3ull << 29);
    EXPECT_EQ(parse_bytes("800mB"), 800ull << 20);
    for (const char* const wrong : {"", "G", "-1G", "6X", "6Gib/s", "1e3M", "9999999T", "6 G "})
        EXPECT_EQ(parse_bytes(wrong), std::nullopt) << wrong;
}

}  // namespace ingle
