// Models in several files: PREFIX-00001-of-00003.gguf and so on.
#include <gtest/gtest.h>

#include <algorithm>

#include "gguf/reader.h"
#include "gguf/writer.h"
#include "support/fixtures.h"

namespace ingle::gguf {

namespace {

namespace fs = std::filesystem;

fs::path golden(int part) {
    return test::fixtures() / "quant-models" / "split" /
           cat("stories260K-split-0000", part, "-of-00003.gguf");
}

// A set of two parts, each with one tensor.
struct Set {
    explicit Set(const std::string& name)
        : folder(test::binary_dir() / "scratch" / "gguf_split" / name) {
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    fs::path path(int part) const { return folder / cat("m-0000", part, "-of-00002.gguf"); }

    void write(int part, uint16_t number, uint16_t count, const std::string& tensor,
               int32_t total = 2) const {
        Metadata metadata;
        metadata.set("split.no", number);
        metadata.set("split.count", count);
        metadata.set("split.tensors.count", total);
        const std::vector<TensorSpec> tensors = {{tensor, 0, {4}}};
        auto writer = Writer::create(path(part), metadata, tensors);
        ASSERT_OK(writer);
        const std::vector<float> values(4, float(part));
        ASSERT_OK(writer->append(std::as_bytes(std::span(values))));
        ASSERT_OK(writer->finish());
    }
    void expect_refused(std::string_view part_of_message) const {
        const auto file = File::open(path(1));
        ASSERT_FALSE(file.ok());
        EXPECT_NE(file.status().message().find(part_of_message), std::string::npos)
            << file.status().message();
    }

    fs::path folder;
};

}  // namespace

TEST(Split, a_set_opened_by_any_part_is_the_whole_model) {
    const auto whole_path = test::fixtures() / "models" / "stories260K.gguf";
    INGLE_NEEDS(whole_path);
    INGLE_NEEDS(golden(1));
    const auto whole = File::open(whole_path);
    ASSERT_OK(whole);
    for (const int opened : {1, 2, 3}) {
        const auto set = File::open(golden(opened));
        ASSERT_OK(set);
        EXPECT_EQ(set->shard_count(), 3u);
        EXPECT_EQ(set->metadata().text("general.architecture"), "llama");
        ASSERT_EQ(set->tensors().size(), whole->tensors().size());
        for (const TensorInfo& tensor : whole->tensors()) {
            const TensorInfo* const other = set->find_tensor(tensor.name);
            ASSERT_NE(other, nullptr) << tensor.name;
            EXPECT_EQ(other->dims, tensor.dims);
            const auto a = whole->bytes(tensor);
            const auto b = set->bytes(*other);
            EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << tensor.name;
        }
    }
}

TEST(Split, one_part_can_be_opened_alone) {
    INGLE_NEEDS(golden(2));
    const auto part = File::open(golden(2), File::Splits::ignore);
    ASSERT_OK(part);
    EXPECT_EQ(part->shard_count(), 1u);
    EXPECT_LE(part->tensors().size(), 17u);
}

TEST(Split, reading_a_tensor_of_a_later_part_reads_that_part) {
    const Set set("later");
    set.write(1, 0, 2, "a");
    set.write(2, 1, 2, "b");
    const auto file = File::open(set.path(1));
    ASSERT_OK(file);
    std::vector<float> out(4);
    ASSERT_OK(file->read(*file->find_tensor("b"), 0, std::as_writable_bytes(std::span(out))));
    EXPECT_EQ(out, std::vector<float>(4, 2.0f));
    EXPECT_EQ(file->shard(1)->path(), set.path(2));
}

TEST(Split, a_missing_part_is_named) {
    const Set set("missing");
    set.write(1, 0, 2, "a");
    set.expect_refused("m-00002-of-00002.gguf");
}

TEST(Split, parts_that_do_not_belong_together_are_refused) {
    const Set set("foreign");
    set.write(1, 0, 2, "a");
    set.write(2, 0, 2, "b");
    set.expect_refused("expected part 2 of 2, found part 1 of 2");
    set.write(2, 1, 3, "b");
    set.expect_refused("expected part 2 of 2, found part 2 of 3");
    set.write(2, 1, 2, "a");
    set.expect_refused("two tensors of the name 'a'");
    set.write(2, 1, 2, "b");
    EXPECT_OK(File::open(set.path(1)));
    set.write(1, 0, 2, "a", 3);
    set.expect_refused("promises 3 tensors, the 2 parts hold 2");
    set.write(1, 2, 2, "a");
    set.expect_refused("expected 0 to 1, found 2");
}

TEST(Split, a_renamed_part_says_which_name_it_needs) {
    const Set set("renamed");
    set.write(1, 0, 2, "a");
    const auto renamed = set.folder / "model.gguf";
    fs::rename(set.path(1), renamed);
    const auto file = File::open(renamed);
    ASSERT_FALSE(file.ok());
    EXPECT_NE(file.status().message().find(
                  "expected a name ending in '-00001-of-00002.gguf', found 'model.gguf'"),
              std::string::npos)
        << file.status().message();
}

TEST(Split, huge_counts_open_no_more_files_than_there_are) {
    const Set set("huge");
    set.write(1, 0, 65535, "a");
    const auto path = set.folder / "m-00001-of-65535.gguf";
    fs::rename(set.path(1), path);
    EXPECT_EQ(File::open(path).status().code(), Code::not_found);
}

}  // namespace ingle::gguf
