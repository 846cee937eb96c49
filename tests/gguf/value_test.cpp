#include "gguf/value.h"

#include <gtest/gtest.h>

#include "gguf/metadata.h"
#include "support/fixtures.h"

namespace ingle::gguf {

TEST(Value, integers_convert_between_widths_when_they_fit) {
    EXPECT_EQ(*as<uint32_t>(Value(uint64_t(7))), 7u);
    EXPECT_EQ(*as<uint16_t>(Value(int64_t(65535))), 65535);
    EXPECT_EQ(*as<int64_t>(Value(uint8_t(255))), 255);
    EXPECT_EQ(*as<uint32_t>(Value(true)), 1u);
    EXPECT_FALSE(as<uint32_t>(Value(int32_t(-1))).ok());
    EXPECT_FALSE(as<uint32_t>(Value(uint64_t(1) << 32)).ok());
    EXPECT_FALSE(as<int32_t>(Value(1.0f)).ok());
    EXPECT_FALSE(as<uint32_t>(Value(std::string("7"))).ok());
}

TEST(Value, numbers_convert_to_floating_point) {
    EXPECT_EQ(*as<float>(Value(0.5)), 0.5f);
    EXPECT_EQ(*as<float>(Value(uint32_t(10000))), 10000.0f);
    EXPECT_EQ(*as<double>(Value(0.25f)), 0.25);
    EXPECT_FALSE(as<float>(Value(std::string("1"))).ok());
}

TEST(Value, bools_accept_zero_and_one) {
    EXPECT_TRUE(*as<bool>(Value(uint32_t(1))));
    EXPECT_FALSE(*as<bool>(Value(int8_t(0))));
    EXPECT_FALSE(as<bool>(Value(uint32_t(2))).ok());
}

TEST(Value, arrays_convert_element_by_element) {
    const Value numbers = Array{std::vector<int32_t>{1, 2, 300}};
    EXPECT_EQ(*as<std::vector<uint64_t>>(numbers), (std::vector<uint64_t>{1, 2, 300}));
    EXPECT_EQ(*as<std::vector<float>>(numbers), (std::vector<float>{1, 2, 300}));
    EXPECT_EQ(
        as<std::vector<uint8_t>>(numbers).status().message(),
        "expected an array, each element an unsigned integer of 8 bits, found array of 3 i32");
    EXPECT_EQ(*as<std::vector<bool>>(Value(Array{std::vector<bool>{true, false}})),
              (std::vector<bool>{true, false}));
    EXPECT_TRUE(as<std::vector<float>>(Value(Array{Strings()}))->empty());
}

TEST(Value, copied_strings_own_their_bytes) {
    Value value;
    {
        const std::vector<std::string> words = {"one", "", std::string("t\0o", 3)};
        value = Array{Strings::copy_of(words)};
    }
    const auto views = *as<std::span<const std::string_view>>(value);
    ASSERT_EQ(views.size(), 3u);
    EXPECT_EQ(views[0], "one");
    EXPECT_EQ(views[1], "");
    EXPECT_EQ(views[2], std::string_view("t\0o", 3));
}

TEST(Value, descriptions_are_short) {
    EXPECT_EQ(describe(Value(uint32_t(7))), "u32 7");
    EXPECT_EQ(describe(Value(std::string("a\n"))), "string 'a\\x0a'");
    EXPECT_EQ(describe(Value(Array{std::vector<float>(3)})), "array of 3 f32");
    EXPECT_EQ(describe(Value(true)), "bool true");
}

TEST(Metadata, keys_keep_their_order_through_changes) {
    Metadata metadata;
    EXPECT_TRUE(metadata.add("a", uint32_t(1)));
    EXPECT_TRUE(metadata.add("b", uint32_t(2)));
    EXPECT_TRUE(metadata.add("c", uint32_t(3)));
    EXPECT_FALSE(metadata.add("a", uint32_t(4)));
    metadata.set("b", std::string("two"));
    EXPECT_TRUE(metadata.remove("a"));
    EXPECT_FALSE(metadata.remove("a"));
    ASSERT_EQ(metadata.entries().size(), 2u);
    EXPECT_EQ(metadata.entries()[0].key, "b");
    EXPECT_EQ(metadata.text("b"), "two");
    EXPECT_EQ(*metadata.get<uint64_t>("c"), 3u);
}

TEST(Metadata, failures_name_the_key) {
    Metadata metadata;
    metadata.set("n", std::string("x"));
    EXPECT_EQ(metadata.get<uint32_t>("n").status().message(),
              "metadata key 'n': expected an unsigned integer of 32 bits, found string 'x'");
    EXPECT_EQ(metadata.get<uint32_t>("m").status().code(), Code::not_found);
    EXPECT_EQ(*metadata.get_or<uint32_t>("m", 5), 5u);
    EXPECT_FALSE(metadata.get_or<uint32_t>("n", 5).ok());
}

}  // namespace ingle::gguf
