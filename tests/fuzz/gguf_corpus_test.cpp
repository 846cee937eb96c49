// Every malformed GGUF that we have, within bounds of memory.
#include <gtest/gtest.h>

#include <set>

#include "base/platform.h"
#include "base/random.h"
#include "fuzz/allocation_meter.h"
#include "fuzz/gguf_property.h"
#include "support/fixtures.h"
#include "support/gguf_bytes.h"

namespace ingle {

namespace {

namespace fs = std::filesystem;

// A file may cost this many bytes of memory per byte present, and a fixed part for messages. The
// costliest byte of a file is one of an empty array inside an array.
constexpr uint64_t allocated_per_byte_max = 60;
constexpr uint64_t allocated_fixed_max = 1u << 16;

// In a buffer of exactly its size, so that a sanitizer sees any read past it.
bool accepted(std::string_view input) {
    const std::vector<char> copy(input.begin(), input.end());
    const auto bytes = std::as_bytes(std::span(copy));
    const uint64_t before = test::allocated_bytes();
    (void)gguf::File::parse(bytes);
    EXPECT_LE(test::allocated_bytes() - before,
              allocated_fixed_max + allocated_per_byte_max * input.size());
    return test::check_gguf(bytes);
}

std::set<std::string> accepted_of(const fs::path& folder, size_t& count) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        SCOPED_TRACE(entry.path().string());
        ++count;
        if (accepted(test::bytes_of(entry.path()))) names.insert(entry.path().filename().string());
    }
    return names;
}

}  // namespace

TEST(GgufCorpus, only_the_well_formed_files_of_the_fuzzing_corpus_are_accepted) {
    const auto folder = test::fixtures() / "fuzz" / "gguf";
    INGLE_NEEDS(folder);
    size_t count = 0;
    // Empty models, most with bytes after the header.
    const std::set<std::string> empty_models = {
        "59e22e84e26e3abfe8108d12a3a8ec7e0e026a9e", "70fff6773d0ccfc95c15bfcf937f6b863105e88c",
        "899e590b2346f119ed3f6e8f69c3a1c8296673ee", "9d48b3393ad2e938fd5de747723bb7d684193592",
        "daac2d25ef835aeaaddcd1ff26c54a6834f9c6bd", "e05007331db1d247640b402ea31c675556372c2b"};
    EXPECT_EQ(accepted_of(folder, count), empty_models);
    EXPECT_EQ(count, 225u);
}

TEST(GgufCorpus, inputs_that_crashed_another_reader_are_refused) {
    const auto folder = test::fixtures() / "fuzz" / "gguf-crash";
    INGLE_NEEDS(folder);
    size_t count = 0;
    EXPECT_TRUE(accepted_of(folder, count).empty());
    EXPECT_EQ(count, 2u);
}

TEST(GgufCorpus, degenerate_files_are_accepted_but_for_the_one_without_its_data) {
    const auto folder = test::fixtures() / "fuzz" / "gguf-degenerate";
    INGLE_NEEDS(folder);
    size_t count = 0;
    const auto names = accepted_of(folder, count);
    EXPECT_EQ(count, 19u);
    EXPECT_EQ(names.size(), 18u);
    EXPECT_FALSE(names.contains("weight-inspect-tiny.gguf"));
}

TEST(GgufCorpus, every_prefix_and_every_changed_byte_of_a_valid_file_is_survived) {
    std::string whole = test::tiny_gguf().str();
    for (size_t length = 0; length <= whole.size(); ++length) accepted(whole.substr(0, length));
    for (char& byte : whole) {
        const char saved = byte;
        for (const int value : {0, 1, 2, 9, 0x7f, 0x80, 0xff}) {
            byte = char(value);
            accepted(whole);
        }
        byte = saved;
    }
}

TEST(GgufCorpus, declared_sizes_do_not_become_memory) {
    const uint64_t peak = platform::peak_resident_bytes();
    using test::GgufBytes;
    const std::vector<GgufBytes> inputs = {
        GgufBytes(0, 1).key("k", 8).u64(1ull << 40),
        GgufBytes(0, 1).key("k", 8).u64((1ull << 30) - 1),
        GgufBytes(0, 1).array("k", 10, 1ull << 61),
        GgufBytes(0, 1).array("k", 8, 1u << 30).zeros(1000),
        GgufBytes(0, 1).array("k", 7, 1u << 30).zeros(1000),
        GgufBytes(0, 1).array("k", 9, 1u << 30).zeros(1000),
        GgufBytes(1, 0).text("t").u32(0xffffffff).zeros(12),
        GgufBytes(1ull << 62, 0).zeros(1000),
        GgufBytes(0, 1ull << 62).zeros(1000),
        GgufBytes(1, 0).tensor("t", {1ull << 40}, 0, 0).align(),
    };
    for (const GgufBytes& input : inputs) EXPECT_FALSE(accepted(input.str()));
    EXPECT_LT(platform::peak_resident_bytes(), peak + (64u << 20));
}

TEST(GgufCorpus, the_costliest_structures_stay_within_the_bound) {
    using test::GgufBytes;
    constexpr uint32_t count = 20000;
    GgufBytes arrays(0, 1);
    arrays.array("k", 9, count);
    for (uint32_t i = 0; i < count; ++i) arrays.u32(0).u64(0);
    EXPECT_TRUE(accepted(arrays.str()));
    EXPECT_TRUE(accepted(GgufBytes(0, 1).array("k", 8, count).zeros(8 * count).str()));
    GgufBytes keys(0, count);
    for (uint32_t i = 0; i < count; ++i) keys.key(cat(i), 0).u8(0);
    EXPECT_TRUE(accepted(keys.str()));
    GgufBytes tensors(count, 0);
    for (uint32_t i = 0; i < count; ++i) tensors.tensor(cat(i), {}, 0, 32 * i);
    EXPECT_TRUE(accepted(tensors.align().zeros(32 * count).str()));
}

}  // namespace ingle
