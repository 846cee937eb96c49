#include <algorithm>

#include "gguf/writer.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "gguf/reader.h"
#include "support/fixtures.h"
#include "support/gguf_bytes.h"

namespace ingle::gguf {

namespace {

namespace fs = std::filesystem;

fs::path scratch(const std::string& name) {
    const fs::path folder = test::binary_dir() / "scratch" / "gguf_writer" /
                            testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder);
    return folder / name;
}

std::vector<TensorSpec> specs_of(const File& file) {
    std::vector<TensorSpec> specs;
    for (const TensorInfo& tensor : file.tensors())
        specs.push_back(
            {tensor.name, tensor.type_id, {tensor.shape().begin(), tensor.shape().end()}});
    return specs;
}

// Writes what was read, in pieces of at most `piece` bytes.
void copy(const File& file, const fs::path& path, size_t piece) {
    const auto specs = specs_of(file);
    auto writer = Writer::create(path, file.metadata(), specs, file.version());
    ASSERT_OK(writer);
    for (const TensorInfo& tensor : file.tensors())
        for (auto rest = file.bytes(tensor); !rest.empty();) {
            const size_t count = std::min(piece, rest.size());
            ASSERT_OK(writer->append(rest.first(count)));
            rest = rest.subspan(count);
        }
    ASSERT_OK(writer->finish());
}

size_t temporary_files_of(const fs::path& path) {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(path.parent_path()))
        count += entry.path() != path && entry.path().string().starts_with(path.string());
    return count;
}

std::vector<std::byte> bytes_of(std::string_view text) {
    const auto span = std::as_bytes(std::span(text));
    return {span.begin(), span.end()};
}

void expect_refused(const Metadata& metadata, std::vector<TensorSpec> tensors, const char* part,
                    uint32_t version = 3) {
    const auto bytes = header_bytes(metadata, tensors, version);
    ASSERT_FALSE(bytes.ok());
    EXPECT_NE(bytes.status().message().find(part), std::string::npos) << bytes.status().message();
}

}  // namespace

TEST(Writer, every_fixture_read_and_written_back_has_the_same_bytes) {
    INGLE_NEEDS(test::fixtures());
    const fs::path out = scratch("copy.gguf");
    int copied = 0;
    int refused = 0;
    for (const auto& entry : fs::recursive_directory_iterator(test::fixtures())) {
        if (!entry.is_regular_file() || entry.path().extension() != ".gguf") continue;
        SCOPED_TRACE(entry.path().string());
        const auto file = File::open(entry.path(), File::Splits::ignore);
        if (entry.path().filename() == "weight-inspect-tiny.gguf") {
            // The data of its only tensor is missing (README of fuzz/).
            EXPECT_FALSE(file.ok());
            ++refused;
            continue;
        }
        ASSERT_OK(file);
        copy(*file, out, 100000);
        ASSERT_FALSE(HasFatalFailure());
        EXPECT_TRUE(test::bytes_of(entry.path()) == test::bytes_of(out));
        ++copied;
    }
    fs::remove(out);
    RecordProperty("files", copied);
    EXPECT_GE(copied, 100);
    EXPECT_EQ(refused, 1);
}

TEST(Writer, version_2_stays_version_2) {
    std::string bytes = test::tiny_gguf().str();
    bytes[4] = 2;
    const auto file = File::parse(std::as_bytes(std::span(bytes)));
    ASSERT_OK(file);
    EXPECT_EQ(file->version(), 2u);
    copy(*file, scratch("v2.gguf"), 5);
    EXPECT_EQ(test::bytes_of(scratch("v2.gguf")), bytes);
}

TEST(Writer, every_kind_of_value_survives) {
    Metadata metadata;
    metadata.set("general.alignment", uint32_t(64));
    metadata.set("u8", uint8_t(1));
    metadata.set("i8", int8_t(-1));
    metadata.set("u16", uint16_t(2));
    metadata.set("i16", int16_t(-2));
    metadata.set("i32", int32_t(-3));
    metadata.set("f32", 0.1f);
    metadata.set("bool", true);
    metadata.set("string", std::string("text\0 with zero", 15));
    metadata.set("u64", UINT64_MAX);
    metadata.set("i64", INT64_MIN);
    metadata.set("f64", 0.1);
    metadata.set("bools", Array{std::vector<bool>{true, false, true}});
    metadata.set("doubles", Array{std::vector<double>{0.1, -0.0}});
    const std::vector<std::string> words = {"", "one", "\xff"};
    metadata.set("strings", Array{Strings::copy_of(words)});
    const Array inner{std::vector<Array>{{Strings::copy_of(words)}}};
    metadata.set("nested", Array{std::vector<Array>{{std::vector<int16_t>{-1}}, inner}});
    const std::vector<TensorSpec> tensors = {{"a", 0, {3}}, {"b", 24, {65}}, {"scalar", 28, {}}};
    auto bytes = header_bytes(metadata, tensors);
    ASSERT_OK(bytes);
    EXPECT_EQ(bytes->size() % 64, 0u);
    bytes->resize(bytes->size() + 64 + 128 + 8);

    const auto file = File::parse(std::as_bytes(std::span(*bytes)));
    ASSERT_OK(file);
    ASSERT_EQ(file->metadata().entries().size(), metadata.entries().size());
    for (const auto& [key, value] : metadata.entries()) EXPECT_EQ(*file->find(key), value) << key;
    EXPECT_EQ(file->find_tensor("scalar")->bytes, 8u);
}

TEST(Writer, random_metadata_survives) {
    Random random(4);
    for (int round = 0; round < 200; ++round) {
        Metadata metadata;
        for (uint64_t i = random.below(20); i > 0; --i) {
            std::vector<std::string> words(random.below(5));
            for (std::string& word : words)
                for (uint64_t j = random.below(40); j > 0; --j) word += char(random.below(256));
            metadata.set(cat("key ", random.below(1000)), Array{Strings::copy_of(words)});
            metadata.set(cat("number ", random.below(1000)), random.next());
        }
        const auto bytes = header_bytes(metadata, {});
        ASSERT_OK(bytes);
        const auto file = File::parse(std::as_bytes(std::span(*bytes)));
        ASSERT_OK(file);
        EXPECT_EQ(*header_bytes(file->metadata(), {}), *bytes);
    }
}

TEST(Writer, what_the_reader_would_refuse_is_not_written) {
    const Metadata none;
    expect_refused(none, {{"t", 12, {100}}}, "tensor 't': expected rows of a multiple of 256");
    expect_refused(none, {{"t", 0, {1}}, {"t", 0, {1}}}, "twice");
    expect_refused(none, {{std::string(64, 'x'), 0, {1}}}, "expected a name of 1 to 63 bytes");
    expect_refused(none, {{"t", 0, {1, 1, 1, 1, 1}}}, "at most 4 dimensions");
    expect_refused(none, {}, "expected GGUF version 2 to 3, found 1", 1);
    Metadata empty_key;
    empty_key.set("", uint32_t(1));
    expect_refused(empty_key, {}, "expected 1 to 65535 bytes, found 0");
    Metadata alignment;
    alignment.set("general.alignment", uint32_t(33));
    expect_refused(alignment, {}, "expected a power of two, found 33");
    Metadata deep;
    Array array{std::vector<uint8_t>{1}};
    for (int i = 0; i < 4; ++i) array = Array{std::vector<Array>{array}};
    deep.set("deep", array);
    expect_refused(deep, {}, "nested deeper than 4");
}

TEST(Writer, an_unfinished_file_leaves_nothing_behind_and_the_old_one_untouched) {
    const fs::path path = scratch("old.gguf");
    ASSERT_OK(write_file_atomically(path, bytes_of("the old file")));
    const std::vector<TensorSpec> tensors = {{"a", 24, {10}}, {"b", 24, {10}}};
    {
        auto writer = Writer::create(path, {}, tensors);
        ASSERT_OK(writer);
        ASSERT_OK(writer->append(bytes_of("0123456789")));
        ASSERT_OK(writer->append(bytes_of("012345678")));
        EXPECT_EQ(temporary_files_of(path), 1u);
        EXPECT_EQ(writer->append(bytes_of("00")).message(),
                  "tensor 'b': expected at most 1 bytes more, found 2");
        EXPECT_EQ(writer->finish().message(), "tensor 'b': expected 10 bytes, found 9");
    }
    EXPECT_EQ(temporary_files_of(path), 0u);
    EXPECT_EQ(test::bytes_of(path), "the old file");
}

TEST(Writer, more_data_than_tensors_is_refused) {
    auto writer = Writer::create(scratch("more.gguf"), {}, {});
    ASSERT_OK(writer);
    EXPECT_FALSE(writer->append(bytes_of("x")).ok());
    ASSERT_OK(writer->finish());
    EXPECT_EQ(test::bytes_of(scratch("more.gguf")).size(), 24u);
}

TEST(Writer, a_folder_that_is_missing_is_named) {
    const auto writer = Writer::create(scratch("no/such/folder/x.gguf"), {}, {});
    ASSERT_FALSE(writer.ok());
    EXPECT_NE(writer.status().message().find("cannot create"), std::string::npos);
}

}  // namespace ingle::gguf
