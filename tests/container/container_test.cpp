// Splitting, checking and comparing whole files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/random.h"
#include "container/check.h"
#include "container/diff.h"
#include "container/parse_value.h"
#include "container/split.h"
#include "quant/support/format.h"
#include "support/fixtures.h"

namespace ingle::container {

namespace {

const Progress quiet = [](uint64_t, uint64_t) { return Status(); };

struct Tensor {
    std::string name;
    uint32_t type_id;
    std::vector<uint64_t> dims;
    std::vector<std::byte> bytes;
};

class ContainerTest : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  cat("ingle-container-", ::testing::UnitTest::GetInstance()->current_test_info()->name(), "-",
                      ::getpid());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    gguf::File write(const std::string& name, const gguf::Metadata& metadata,
                     const std::vector<Tensor>& tensors) {
        std::vector<gguf::TensorSpec> specs;
        for (const Tensor& tensor : tensors) specs.push_back({tensor.name, tensor.type_id, tensor.dims});
        auto writer = gguf::Writer::create(folder_ / name, metadata, specs);
        EXPECT_OK(writer);
        for (const Tensor& tensor : tensors) EXPECT_OK(writer->append(tensor.bytes));
        EXPECT_OK(writer->finish());
        auto file = gguf::File::open(folder_ / name);
        EXPECT_OK(file);
        return std::move(*file);
    }

    std::filesystem::path folder_;
};

// f32 numbers 0, 1, 2, ... in rows of 8.
Tensor counting(const std::string& name, uint64_t rows) {
    std::vector<float> values(size_t(rows * 8));
    for (size_t i = 0; i < values.size(); ++i) values[i] = float(i);
    Tensor tensor{name, 0, {8, rows}, {}};
    tensor.bytes.assign(std::as_bytes(std::span(values)).begin(), std::as_bytes(std::span(values)).end());
    return tensor;
}

std::vector<size_t> counts_of(const Result<std::vector<SplitPart>>& parts) {
    std::vector<size_t> counts;
    if (parts.ok())
        for (const SplitPart& part : *parts) counts.push_back(part.count);
    return counts;
}

TEST_F(ContainerTest, parts_hold_as_much_as_was_allowed) {
    std::vector<Tensor> tensors;
    for (int i = 0; i < 7; ++i) tensors.push_back(counting(cat("t", i), i == 3 ? 40 : 4));  // 128 or 1280 bytes
    const gguf::File file = write("a.gguf", {}, tensors);
    EXPECT_EQ(counts_of(plan_split(file, {.tensors_max = 3})), (std::vector<size_t>{3, 3, 1}));
    EXPECT_EQ(counts_of(plan_split(file, {.tensors_max = 7})), (std::vector<size_t>{7}));
    EXPECT_EQ(counts_of(plan_split(file, {.tensors_max = 0, .bytes_max = 256})),
              (std::vector<size_t>{2, 1, 1, 2, 1}));
    EXPECT_EQ(counts_of(plan_split(file, {.tensors_max = 4, .bytes_max = 0, .bare_first = true})),
              (std::vector<size_t>{0, 4, 3}));
}

TEST_F(ContainerTest, a_split_file_merges_to_the_same_bytes) {
    gguf::Metadata metadata;
    metadata.set("general.name", std::string("x"));
    metadata.set("general.alignment", uint32_t(64));
    const gguf::File file = write("a.gguf", metadata, {counting("a", 1), counting("b", 3), counting("c", 2)});
    for (const bool bare : {false, true}) {
        const auto parts = plan_split(file, {.tensors_max = 1, .bytes_max = 0, .bare_first = bare});
        ASSERT_OK(parts);
        const auto paths = write_split(file, *parts, folder_ / (bare ? "bare" : "full"), quiet);
        ASSERT_OK(paths);
        EXPECT_EQ(paths->size(), bare ? 4u : 3u);
        const auto set = gguf::File::open(paths->back());
        ASSERT_OK(set);
        EXPECT_EQ(set->shard_count(), paths->size());
        ASSERT_OK(write_copy(*set, without_split_keys(*set), folder_ / "merged.gguf", quiet));
        EXPECT_EQ(test::bytes_of(folder_ / "merged.gguf"), test::bytes_of(folder_ / "a.gguf"));
    }
}

TEST_F(ContainerTest, a_stopped_split_leaves_nothing) {
    const gguf::File file = write("a.gguf", {}, {counting("a", 1), counting("b", 3), counting("c", 2)});
    const auto parts = plan_split(file, {.tensors_max = 1});
    ASSERT_OK(parts);
    int pieces = 0;
    const auto paths = write_split(file, *parts, folder_ / "p", [&](uint64_t, uint64_t) {
        return ++pieces < 3 ? Status() : fail(Code::cancelled, "enough");
    });
    EXPECT_FALSE(paths.ok());
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        EXPECT_EQ(entry.path().filename(), "a.gguf");
}

TEST_F(ContainerTest, a_file_may_be_written_over_itself) {
    const gguf::File file = write("a.gguf", {}, {counting("a", 5)});
    gguf::Metadata metadata;
    metadata.set("k", uint32_t(7));
    ASSERT_OK(write_copy(file, metadata, folder_ / "a.gguf", quiet));
    const auto again = gguf::File::open(folder_ / "a.gguf");
    ASSERT_OK(again);
    EXPECT_EQ(*again->get<uint32_t>("k"), 7u);
    const auto difference = compare(file, *again, quiet);
    ASSERT_OK(difference);
    EXPECT_EQ(difference->same_tensors, 1u);
    ASSERT_EQ(difference->keys.size(), 1u);
    EXPECT_EQ(difference->keys[0].left, "");
}

TEST_F(ContainerTest, differences_are_named_and_measured) {
    gguf::Metadata left, right;
    left.set("same", true);
    right.set("same", true);
    left.set("number", uint32_t(1));
    right.set("number", uint32_t(2));
    const std::vector<std::string> a = {"x", "y"}, b = {"x", "z"};
    left.set("list", gguf::Array{gguf::Strings::copy_of(std::span(a))});
    right.set("list", gguf::Array{gguf::Strings::copy_of(std::span(b))});
    Tensor changed = counting("t", 2);
    const float one = 1;
    std::memcpy(changed.bytes.data(), &one, sizeof(one));  // was 0
    const gguf::File first = write("a.gguf", left, {counting("t", 2), counting("u", 1), counting("s", 3)});
    const gguf::File second = write("b.gguf", right, {counting("s", 3), changed, counting("v", 1)});
    const auto difference = compare(first, second, quiet);
    ASSERT_OK(difference);
    EXPECT_EQ(difference->same_tensors, 1u);
    ASSERT_EQ(difference->keys.size(), 2u);
    EXPECT_NE(difference->keys[1].left, difference->keys[1].right);
    ASSERT_EQ(difference->tensors.size(), 3u);
    double squares = 0;
    for (int i = 0; i < 16; ++i) squares += i * i;
    EXPECT_TRUE(difference->tensors[0].data);
    EXPECT_NEAR(difference->tensors[0].relative_error, 1 / std::sqrt(squares), 1e-12);
    EXPECT_EQ(difference->tensors[1].name, "u");
    EXPECT_EQ(difference->tensors[1].right, "");
    EXPECT_EQ(difference->tensors[2].name, "v");
    EXPECT_EQ(difference->tensors[2].left, "");
}

// In every format whose blocks begin or end with a 16-bit scale: a NaN there is found, in its block and row.
TEST_F(ContainerTest, a_scale_that_is_no_number_is_found_in_its_block) {
    ThreadPool pool(2);
    Random random(1);
    int tried = 0;
    for (const quant::FormatInfo& format : quant::all_formats()) {
        if (format.block_size == 1) continue;
        const uint64_t columns = uint64_t(format.block_size) * 3, rows = 50;
        std::vector<float> values(size_t(columns * rows));
        for (float& value : values) value = float(random.normal());
        Tensor tensor{"w", format.gguf_id, {columns, rows}, {}};
        tensor.bytes.resize(size_t(rows * 3) * format.block_bytes);
        format.encode_row(values.data(), int64_t(values.size()), tensor.bytes.data(), {});
        auto report = check_tensors(write("good.gguf", {}, {tensor}), pool, quiet);
        ASSERT_OK(report);
        EXPECT_TRUE(report->faults.empty()) << format.name;
        EXPECT_EQ(report->blocks, rows * 3) << format.name;

        // Block 100 (row 33), at each place where the scale may lie: one of them must be seen. IQ1_M keeps a
        // quarter of its scale in each of four words.
        bool seen = false;
        const size_t width = format.name == "IQ1_M" ? 8 : 2;
        for (size_t at = 0; at + width <= format.block_bytes; at += width) {
            Tensor damaged = tensor;
            std::memset(damaged.bytes.data() + 100 * format.block_bytes + at, 0xff, width);
            report = check_tensors(write("bad.gguf", {}, {counting("other", 3), damaged}), pool, quiet);
            ASSERT_OK(report);
            if (report->faults.empty()) continue;
            seen = true;
            EXPECT_EQ(report->faults[0].tensor, "w");
            EXPECT_EQ(report->faults[0].first_block, 100u);
            EXPECT_EQ(report->faults[0].first_row, 33u);
            EXPECT_EQ(report->faults[0].bad_blocks, 1u);
            EXPECT_NE(status_of(*report).message().find("block 100 in row 33"), std::string::npos);
            break;
        }
        EXPECT_TRUE(seen) << format.name;
        ++tried;
    }
    EXPECT_GE(tried, 8);
}

// Every byte of a block, one at a time, set to each value: bytes that an encoder never writes are the ones refused.
TEST_F(ContainerTest, codes_without_a_meaning_are_found) {
    ThreadPool pool(1);
    struct Case {
        const char* format;
        size_t byte;
        int valid;  // of 256 values
    };
    for (const Case& c : {Case{"NVFP4", 3, 127}, Case{"TQ2_0", 5, 81}, Case{"TQ1_0", 0, 243}, Case{"TQ1_0", 51, 81}}) {
        const quant::FormatInfo* const format = quant::find_format(c.format);
        ASSERT_NE(format, nullptr) << c.format;
        const std::vector<float> zeros(size_t(format->block_size));
        std::vector<std::byte> block(format->block_bytes);
        format->encode_row(zeros.data(), format->block_size, block.data(), {});
        // One row per value of the byte.
        Tensor tensor{"w", format->gguf_id, {uint64_t(format->block_size), 256}, {}};
        for (int value = 0; value < 256; ++value) {
            block[c.byte] = std::byte(value);
            tensor.bytes.insert(tensor.bytes.end(), block.begin(), block.end());
        }
        const auto report = check_tensors(write("a.gguf", {}, {tensor}), pool, quiet);
        ASSERT_OK(report);
        ASSERT_EQ(report->faults.size(), 1u) << c.format;
        EXPECT_EQ(report->faults[0].bad_blocks, uint64_t(256 - c.valid)) << c.format << " byte " << c.byte;
    }
}

TEST_F(ContainerTest, stored_floats_are_checked_and_unknown_types_are_named) {
    ThreadPool pool(2);
    Tensor floats = counting("f", 200);
    const float infinity = -std::numeric_limits<float>::infinity();
    std::memcpy(floats.bytes.data() + 4 * 777, &infinity, sizeof(infinity));
    const Tensor unknown{"q", 9, {32, 1}, std::vector<std::byte>(36)};  // Q8_1: activations, never in files
    const auto report = check_tensors(write("a.gguf", {}, {floats, unknown}), pool, quiet);
    ASSERT_OK(report);
    ASSERT_EQ(report->faults.size(), 1u);
    EXPECT_EQ(report->faults[0].first_block, 777u);
    EXPECT_EQ(report->faults[0].first_row, 97u);
    const bool known = quant::find_format(9) != nullptr;
    EXPECT_EQ(report->unknown, known ? std::vector<std::string>{} : std::vector<std::string>{"q"});
}

TEST(ParseValue, types_are_kept_and_checked) {
    const auto none = [](std::string_view) -> const gguf::Value* { return nullptr; };
    const auto parsed = [&](std::string_view text) { return parse_assignment(text, none); };
    const auto value_of = [&](std::string_view text) -> gguf::Value {
        const auto assignment = parsed(text);
        EXPECT_OK(assignment);
        return assignment.ok() ? assignment->value : gguf::Value();
    };
    EXPECT_EQ(value_of("a.b=u8:255"), gguf::Value(uint8_t(255)));
    EXPECT_EQ(value_of("a=str:x:y=z"), gguf::Value(std::string("x:y=z")));
    EXPECT_EQ(value_of("a=int:-3"), gguf::Value(int64_t(-3)));
    EXPECT_EQ(value_of("a=f32:0.5"), gguf::Value(0.5f));
    EXPECT_EQ(value_of("a=bool:true"), gguf::Value(true));
    EXPECT_EQ(value_of("a=i32[]:1,-2"), gguf::Value(gguf::Array{std::vector<int32_t>{1, -2}}));
    EXPECT_EQ(value_of("a=f64[]:"), gguf::Value(gguf::Array{std::vector<double>{}}));
    for (const char* wrong : {"a=u8:256", "a=u8:-1", "a=u32:x", "a=u32:", "a=bool:yes", "a=7", "=u8:1", "a",
                              "a=u32[]:1,,2", "a=f32:1e99"})
        EXPECT_FALSE(parsed(wrong).ok()) << wrong;
    const gguf::Value old = uint16_t(4);
    const auto known = [&](std::string_view) { return &old; };
    const auto kept = parse_assignment("a=9", known), changed = parse_assignment("a=str:q", known);
    ASSERT_OK(kept);
    ASSERT_OK(changed);
    EXPECT_EQ(kept->value, gguf::Value(uint16_t(9)));
    EXPECT_EQ(changed->value, gguf::Value(std::string("q")));
    EXPECT_FALSE(parse_assignment("a=70000", known).ok());
}

TEST(ParseValue, values_come_back_as_text) {
    EXPECT_EQ(text_of(gguf::Value(std::string("a b"))), "a b\n");
    EXPECT_EQ(text_of(gguf::Value(0.1f)), cat(double(0.1f), "\n"));
    EXPECT_EQ(text_of(gguf::Value(gguf::Array{std::vector<bool>{true, false}})), "true\nfalse\n");
    EXPECT_EQ(text_of(gguf::Value(gguf::Array{std::vector<uint8_t>{7, 8}})), "7\n8\n");
}

}  // namespace

}  // namespace ingle::container
