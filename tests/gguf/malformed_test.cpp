// What a reader must refuse, and with which words. Rows are those of the public bug reports.
#include <gtest/gtest.h>

#include <vector>

#include "gguf/reader.h"
#include "support/fixtures.h"
#include "support/gguf_bytes.h"

namespace ingle::gguf {

namespace {

using test::GgufBytes;

std::string refusal(const GgufBytes& bytes) {
    const auto file = File::parse(bytes.span());
    return file.ok() ? "accepted" : file.status().message();
}

// For trials whose exact length the report gives.
std::string refusal(const GgufBytes& bytes, size_t length) {
    EXPECT_EQ(bytes.str().size(), length);
    return refusal(bytes);
}

void expect_refused(const GgufBytes& bytes, std::string_view part) {
    const std::string message = refusal(bytes);
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

GgufBytes one_tensor(std::initializer_list<uint64_t> dims, uint32_t type = 0) {
    return GgufBytes(1, 0).tensor("t", dims, type, 0);
}

}  // namespace

TEST(Malformed, row_1_a_file_of_four_bytes) {
    EXPECT_EQ(refusal(GgufBytes().raw("GGUF"), 4),
              "truncated file: expected 4 bytes for the version at byte 4, found 0");
    EXPECT_EQ(refusal(GgufBytes()),
              "truncated file: expected 4 bytes for the magic 'GGUF' at byte 0, found 0");
}

TEST(Malformed, row_1_every_prefix_of_a_valid_file) {
    const std::string whole = test::tiny_gguf().str();
    const size_t data_end = whole.size() - 14;  // the padding of the last tensor may be missing
    for (size_t length = 0; length <= whole.size(); ++length) {
        // A buffer of exactly this length, so that a sanitizer sees any read past it.
        const std::vector<char> prefix(whole.begin(), whole.begin() + std::ptrdiff_t(length));
        const auto file = File::parse(std::as_bytes(std::span(prefix)));
        EXPECT_EQ(file.ok(), length >= data_end) << length;
        if (file.ok()) continue;
        const std::string& message = file.status().message();
        EXPECT_NE(message.find("truncated"), std::string::npos) << message;
        EXPECT_NE(message.find(" byte "), std::string::npos) << message;
    }
}

TEST(Malformed, row_2_a_dimension_of_zero_or_an_empty_key) {
    EXPECT_EQ(refusal(one_tensor({4, 0}), 65),
              "tensor 0: 't': dimension 1: expected at least 1, found 0");
    EXPECT_EQ(refusal(GgufBytes(0, 1).key("", 4).u32(1), 40),
              "metadata key 0: expected a key of 1 to 65535 bytes, found an empty one at byte 24");
}

TEST(Malformed, row_4_a_product_of_dimensions_that_wraps) {
    EXPECT_EQ(refusal(one_tensor({1ull << 22, (1ull << 42) + 1}), 65),
              "tensor 0: 't': the product of the dimensions up to number 1 (4398046511105) passes "
              "2^63 elements");
    expect_refused(one_tensor({1ull << 62}), "pass 2^63 bytes");
}

TEST(Malformed, row_5_a_tensor_longer_than_the_file) {
    EXPECT_EQ(refusal(one_tensor({262144}, 1).align().zeros(32), 96),
              "tensor 't': expected 524288 bytes at byte 64 + 0, the file ends at byte 96: it is "
              "truncated or still being written");
}

TEST(Malformed, a_fork_s_q2_0_of_wider_blocks_is_refused_by_name) {
    // 1024 weights: 16 blocks of 18 bytes, in the fork 8 blocks of 34.
    test::GgufBytes bytes(2, 0);
    bytes.tensor("a", {1024}, 42, 0).tensor("b", {8}, 0, 288).align().zeros(2048);
    EXPECT_TRUE(File::parse(bytes.span()).ok());
    test::GgufBytes fork(2, 0);
    fork.tensor("a", {1024}, 42, 0).tensor("b", {8}, 0, 288 - 16).align().zeros(2048);
    const auto says_so = [](const test::GgufBytes& file) {
        const auto parsed = File::parse(file.span());
        return parsed.status().message().find("Q2_0 of a fork") != std::string::npos;
    };
    EXPECT_FALSE(says_so(fork));
    test::GgufBytes wide(2, 0);
    wide.tensor("a", {2048}, 42, 0).tensor("b", {8}, 0, 544).align().zeros(2048);
    EXPECT_TRUE(says_so(wide));
}

TEST(Malformed, row_5_offsets_that_overlap_leave_gaps_or_are_not_aligned) {
    const auto two = [](uint64_t second) {
        GgufBytes bytes(2, 0);
        return bytes.tensor("a", {9}, 0, 0).tensor("b", {1}, 0, second).align().zeros(256);
    };
    EXPECT_EQ(refusal(two(64)), "accepted");
    for (const uint64_t offset : {0ull, 32ull, 36ull, 96ull, ~0ull, ~0ull - 31})
        expect_refused(two(offset), "tensor 'b': expected offset 64");
}

TEST(Malformed, row_6_lengths_that_ask_for_more_than_the_file_holds) {
    EXPECT_EQ(refusal(GgufBytes(0, 1).key("k", 8).u64(1ull << 40), 45),
              "metadata key 0: 'k': a string: expected at most 1073741824 bytes, found a length of "
              "1099511627776 at byte 37");
    EXPECT_EQ(
        refusal(GgufBytes(0, 1).key("k", 8).u64(1ull << 20)),
        "metadata key 0: 'k': truncated file: expected 1048576 bytes for a string at byte 45, "
        "found 0");
    for (uint32_t type = 0; type < 13; ++type)
        for (const uint64_t count : {1ull << 61, 1ull << 30, 1ull << 29, 100ull})
            expect_refused(GgufBytes(0, 1).array("k", type, count), "metadata key 0: 'k': ");
    EXPECT_EQ(refusal(GgufBytes(1, 0).text("t").u32(0xffffffff).zeros(12), 49),
              "tensor 0: 't': expected at most 4 dimensions, found 4294967295 at byte 33");
    EXPECT_EQ(refusal(GgufBytes(1ull << 40, 0).zeros(100)),
              "truncated or corrupt file: 1099511627776 tensors cannot fit in the 100 bytes from "
              "byte 24");
    EXPECT_EQ(refusal(GgufBytes(0, ~0ull).zeros(100)),
              "truncated or corrupt file: 18446744073709551615 metadata keys cannot fit in the 100 "
              "bytes from byte 24");
}

TEST(Malformed, row_6_arrays_nested_ten_thousand_deep) {
    GgufBytes bytes(0, 1);
    bytes.array("k", 9, 1);
    for (int i = 0; i < 10000; ++i) bytes.u32(9).u64(1);
    expect_refused(bytes, "arrays nested deeper than 4");
}

TEST(Malformed, foreign_files_are_recognised) {
    EXPECT_EQ(refusal(GgufBytes().raw("PK\x03\x04").zeros(60)),
              "not a GGUF file: expected 'GGUF' at byte 0, found 'PK\\x03\\x04'");
    expect_refused(GgufBytes(0, 0, 1), "version 1");
    expect_refused(GgufBytes(0, 0, 0x03000000), "big-endian");
    expect_refused(GgufBytes(0, 0, 4), "expected GGUF version 2 to 3, found 4");
    expect_refused(GgufBytes(0, 0, 0), "found 0 at byte 4");
    EXPECT_EQ(refusal(GgufBytes(0, 0, 2)), "accepted");
}

TEST(Malformed, names_are_unique_and_short) {
    expect_refused(GgufBytes(0, 2).key("k", 4).u32(1).key("k", 4).u32(1), "twice");
    const auto named = [](std::string_view name, std::string_view other) {
        GgufBytes bytes(2, 0);
        return bytes.tensor(name, {8}, 0, 0).tensor(other, {8}, 0, 32).align().zeros(64);
    };
    expect_refused(named("t", "t"), "two tensors of the name 't'");
    EXPECT_EQ(refusal(named("t", std::string(63, 'n'))), "accepted");
    expect_refused(named("t", std::string(64, 'n')), "expected at most 63 bytes");
    expect_refused(named("t", ""), "expected a name of 1 to 63 bytes");
}

TEST(Malformed, impossible_values_are_refused) {
    expect_refused(GgufBytes(0, 1).key("k", 13).u32(1),
                   "expected a value type of 0 to 12, found 13 at byte 33");
    expect_refused(GgufBytes(0, 1).key("k", 7).u8(2), "expected a bool of 0 or 1, found 2");
    expect_refused(GgufBytes(0, 1).array("k", 7, 2).u8(1).u8(2), "expected a bool of 0 or 1");
}

TEST(Malformed, the_alignment_is_a_power_of_two) {
    const auto aligned = [](uint32_t alignment) {
        return GgufBytes(1, 1).key("general.alignment", 4).u32(alignment);
    };
    for (const uint32_t alignment : {0u, 3u, 48u})
        expect_refused(aligned(alignment).tensor("t", {1}, 0, 0), "expected a power of two");
    expect_refused(GgufBytes(0, 1).key("general.alignment", 8).text("32"),
                   "expected a power of two, found string '32'");
    expect_refused(aligned(1u << 31).tensor("t", {1}, 0, 0).zeros(99), "the file ends at byte");
}

TEST(Malformed, tensor_types_are_checked) {
    expect_refused(one_tensor({32}, 4).align().zeros(64), "type Q4_2 (id 4) exists no more");
    expect_refused(one_tensor({32}, 60).align().zeros(64), "unknown type id 60");
    expect_refused(one_tensor({32}, 137).align().zeros(64), "private to ik_llama.cpp");
    expect_refused(one_tensor({33}, 2).align().zeros(64),
                   "multiple of 32 elements for Q4_0, found 33");
}

}  // namespace ingle::gguf
