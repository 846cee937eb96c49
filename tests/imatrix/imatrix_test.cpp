// Both file forms against files that llama-imatrix wrote, and every way in which a file can be
// wrong.
#include "imatrix/imatrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/fixtures.h"

namespace ingle::imatrix {

namespace {

namespace fs = std::filesystem;

fs::path scratch(const std::string& name) {
    const fs::path folder = test::binary_dir() / "scratch" / "imatrix";
    fs::create_directories(folder);
    return folder / name;
}

Result<Matrix> parsed(const std::string& bytes) {
    return parse(std::as_bytes(std::span(bytes)), 256);
}

void expect_refused(const Result<Matrix>& matrix, const char* part) {
    ASSERT_FALSE(matrix.ok());
    EXPECT_NE(matrix.status().message().find(part), std::string::npos) << matrix.status().message();
}

// Two weights, one of them with three experts of which one was never reached.
Matrix small() {
    Matrix matrix;
    matrix.entries["a.weight"] = {{4, 8}, {2}};
    matrix.entries["b_exps.weight"] = {{1, 2, 0, 0, 6, 9}, {1, 0, 3}};
    matrix.datasets = {"text.txt"};
    matrix.chunk_count = 1;
    matrix.chunk_tokens = 2;
    return matrix;
}

}  // namespace

class Written : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(ByLlamaImatrix, Written, testing::Values("tiny-llama", "smollm2"));

TEST_P(Written, gguf_comes_back_byte_for_byte) {
    const fs::path path = test::fixtures() / "imatrix" / cat(GetParam(), ".imatrix.gguf");
    INGLE_NEEDS(path);
    const auto matrix = load(path);
    ASSERT_OK(matrix);
    ASSERT_OK(save(scratch("copy.gguf"), *matrix, Form::gguf));
    EXPECT_TRUE(test::bytes_of(scratch("copy.gguf")) == test::bytes_of(path));
}

TEST_P(Written, dat_made_of_the_gguf_form_is_byte_for_byte_the_same) {
    const fs::path folder = test::fixtures() / "imatrix";
    INGLE_NEEDS(folder);
    const auto matrix = load(folder / cat(GetParam(), ".imatrix.gguf"));
    ASSERT_OK(matrix);
    ASSERT_OK(save(scratch("copy.dat"), *matrix, Form::dat));
    EXPECT_TRUE(test::bytes_of(scratch("copy.dat")) ==
                test::bytes_of(folder / cat(GetParam(), ".imatrix.dat")));
}

TEST_P(Written, both_forms_have_the_same_means) {
    const fs::path folder = test::fixtures() / "imatrix";
    INGLE_NEEDS(folder);
    const auto matrix = load(folder / cat(GetParam(), ".imatrix.gguf"));
    const auto older = load(folder / cat(GetParam(), ".imatrix.dat"), matrix->chunk_tokens);
    ASSERT_OK(older);
    ASSERT_EQ(older->entries.size(), matrix->entries.size());
    EXPECT_EQ(older->chunk_count, matrix->chunk_count);
    EXPECT_EQ(older->datasets, matrix->datasets);
    for (const auto& [name, entry] : matrix->entries) {
        const Entry& other = older->entries.at(name);
        EXPECT_EQ(other.counts, entry.counts) << name;
        const auto mean = means(entry, entry.columns(), 1);
        const auto other_mean = means(other, entry.columns(), 1);
        for (size_t i = 0; i < mean->size(); ++i)
            ASSERT_NEAR((*other_mean)[i], (*mean)[i], 1e-6f * (*mean)[i]) << name << " " << i;
    }
}

TEST(Imatrix, experts_survive_the_gguf_form) {
    ASSERT_OK(save(scratch("experts.gguf"), small(), Form::gguf));
    const auto back = load(scratch("experts.gguf"));
    ASSERT_OK(back);
    EXPECT_EQ(*back, small());
}

TEST(Imatrix, means_are_per_token_and_ones_where_no_token_came) {
    const Matrix matrix = small();
    EXPECT_EQ(means(matrix.entries.at("a.weight"), 2, 1).value(), (std::vector<float>{2, 4}));
    EXPECT_EQ(means(matrix.entries.at("b_exps.weight"), 2, 3).value(),
              (std::vector<float>{1, 2, 1, 1, 2, 3}));
}

TEST(Imatrix, means_of_another_shape_are_refused_with_both_shapes) {
    const auto wrong = means(small().entries.at("b_exps.weight"), 4, 3);
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.status().message(), "expected 4 columns of 3 experts, found 2 of 3");
    EXPECT_FALSE(means(small().entries.at("a.weight"), 3, 1).ok());
}

TEST(Imatrix, the_older_form_keeps_the_means_of_experts) {
    ASSERT_OK(save(scratch("experts.dat"), small(), Form::dat));
    const auto back = load(scratch("experts.dat"), 2);
    ASSERT_OK(back);
    EXPECT_EQ(means(back->entries.at("b_exps.weight"), 2, 3).value(),
              (std::vector<float>{1, 2, 1, 1, 2, 3}));
}

TEST(Imatrix, merging_adds_sums_counts_chunks_and_new_names) {
    Matrix matrix = small();
    Matrix other = small();
    other.entries["c.weight"] = {{5}, {1}};
    other.datasets = {"text.txt", "more.txt"};
    ASSERT_OK(merge(matrix, other));
    EXPECT_EQ(matrix.entries["a.weight"], (Entry{{8, 16}, {4}}));
    EXPECT_EQ(matrix.entries["b_exps.weight"], (Entry{{2, 4, 0, 0, 12, 18}, {2, 0, 6}}));
    EXPECT_EQ(matrix.entries["c.weight"], (Entry{{5}, {1}}));
    EXPECT_EQ(matrix.datasets, (std::vector<std::string>{"text.txt", "more.txt"}));
    EXPECT_EQ(matrix.chunk_count, 2u);
}

TEST(Imatrix, merging_the_older_form_knows_its_experts) {
    Matrix older;
    older.entries["b_exps.weight"] = {{1, 1, 1, 1, 1, 1}, {2}};
    Matrix matrix = small();
    ASSERT_OK(merge(matrix, older));
    EXPECT_EQ(matrix.entries["b_exps.weight"], (Entry{{2, 3, 1, 1, 7, 10}, {3, 2, 5}}));
    ASSERT_OK(merge(older, small()));
    EXPECT_EQ(older.entries["b_exps.weight"], (Entry{{2, 3, 1, 1, 7, 10}, {3, 2, 5}}));
}

TEST(Imatrix, merging_another_model_fails_and_changes_nothing) {
    Matrix matrix = small();
    Matrix other;
    other.entries["0.weight"] = {{1}, {1}};
    other.entries["a.weight"] = {{1, 2, 3}, {1}};
    const Status status = merge(matrix, other);
    EXPECT_NE(status.message().find("'a.weight': expected 2 columns of 1 experts, found 3 of 1"),
              std::string::npos)
        << status.message();
    EXPECT_EQ(matrix, small());
}

TEST(Imatrix, every_prefix_of_a_file_is_refused) {
    for (const Form form : {Form::gguf, Form::dat}) {
        ASSERT_OK(save(scratch("whole"), small(), form));
        const std::string whole = test::bytes_of(scratch("whole"));
        // The oldest files end after the last entry; the padding after the last tensor (three
        // counts, 12 of 32 bytes) may be missing.
        const size_t trailer = 4 + 4 + 8, padding = 20;
        const size_t end = whole.size() - (form == Form::gguf ? padding : 0);
        for (size_t size = 0; size < end; ++size) {
            if (form == Form::dat && size == whole.size() - trailer) continue;
            EXPECT_FALSE(parsed(whole.substr(0, size)).ok()) << size;
        }
        EXPECT_OK(parsed(whole));
    }
}

TEST(Imatrix, wrong_files_are_refused_with_a_reason) {
    expect_refused(load(scratch("missing")), "missing");
    const fs::path model = test::source_dir() / "models" / "stories260K.gguf";
    expect_refused(load(model), "general.type");
    expect_refused(parsed(std::string("\xff\xff\xff\x7f and more text", 18)), "cannot fit");
    for (const float bad : {-1.0f, std::numeric_limits<float>::infinity(), std::nanf("")}) {
        Matrix matrix = small();
        matrix.entries["a.weight"].sums[1] = bad;
        ASSERT_OK(save(scratch("bad.gguf"), matrix, Form::gguf));
        expect_refused(load(scratch("bad.gguf")), "at position 1");
        ASSERT_OK(save(scratch("bad.dat"), matrix, Form::dat));
        expect_refused(load(scratch("bad.dat")), "at position 1");
    }
    Matrix uneven = small();
    uneven.entries["a.weight"].counts = {1, 2, 3};
    EXPECT_FALSE(save(scratch("uneven.gguf"), uneven, Form::gguf).ok());
}

}  // namespace ingle::imatrix
