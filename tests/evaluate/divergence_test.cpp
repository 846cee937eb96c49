// Divergence: written and read back, against sums in double, and of a model from itself.
#include "evaluate/divergence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "base/random.h"
#include "evaluate/perplexity.h"
#include "support.h"

namespace ingle::evaluate {

namespace {

class DivergenceTest : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  cat("ingle-divergence-", ::testing::UnitTest::GetInstance()->current_test_info()->name(),
                      "-", ::getpid());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::filesystem::path file() const { return folder_ / "base.kld"; }

    std::filesystem::path folder_;
};

Windows small_windows(int vocab) {
    Windows windows;
    windows.size = windows.step = 6;
    windows.count = 2;
    windows.first_scored = 3;
    for (int i = 0; i < 12; ++i) windows.tokens.push_back(i % vocab);
    return windows;
}

// A vocabulary of an odd size, logits of a wide range: codes are padded, and the least likely cut.
TEST_F(DivergenceTest, a_file_gives_back_log_probabilities) {
    constexpr int vocab = 7;
    const Windows windows = small_windows(vocab);
    auto writer = LogitsWriter::create(file(), windows, vocab);
    ASSERT_OK(writer);
    Random random(3);
    std::vector<std::vector<float>> rows;
    for (int64_t w = 0; w < 2; ++w) {
        for (int64_t r = 0; r < windows.scored(); ++r) {
            std::vector<float> logits(vocab);
            for (float& logit : logits) logit = float(6 * random.normal());
            writer->set_row(r, logits, log_softmax(logits));
            rows.push_back(logits);
        }
        ASSERT_OK(writer->write_window());
    }
    EXPECT_FALSE(std::filesystem::exists(file()));
    ASSERT_OK(writer->finish());
    EXPECT_EQ(std::filesystem::file_size(file()), 8 + 12 + 12 * 4 + 4 * (8 + 8 * 2));
    const auto reader = LogitsReader::open(file());
    ASSERT_OK(reader);
    EXPECT_EQ(reader->tokens(), windows.tokens);
    for (size_t i = 0; i < rows.size(); ++i) {
        const StoredRow row = reader->row(int64_t(i) / 2, int64_t(i) % 2);
        const LogSoftmax softmax = log_softmax(rows[i]);
        for (int t = 0; t < vocab; ++t) {
            const float kept = std::max(rows[i][size_t(t)], softmax.greatest - 16);
            EXPECT_NEAR(row.log_probability(t), softmax.of(kept), 16.0 / 65535 / 2 + 1e-5);
        }
    }
}

TEST_F(DivergenceTest, a_damaged_file_is_refused) {
    const Windows windows = small_windows(8);
    auto writer = LogitsWriter::create(file(), windows, 8);
    ASSERT_OK(writer);
    ASSERT_OK(writer->write_window());
    ASSERT_OK(writer->write_window());
    ASSERT_OK(writer->finish());
    const std::string whole = test::bytes_of(file());
    const auto opens = [&](std::string bytes) {
        std::ofstream(file(), std::ios::binary) << bytes;
        return LogitsReader::open(file()).ok();
    };
    EXPECT_TRUE(opens(whole));
    for (const size_t length : {size_t(0), size_t(7), size_t(19), size_t(40), whole.size() - 1})
        EXPECT_FALSE(opens(whole.substr(0, length))) << length;
    EXPECT_FALSE(opens(whole + "x"));
    std::string other = whole;
    other[0] = 'x';
    EXPECT_FALSE(opens(other));
    other = whole;
    other[20] = 9;  // a token beyond the vocabulary
    EXPECT_FALSE(opens(other));
    for (const size_t field : {size_t(8), size_t(12), size_t(16)}) {
        other = whole;
        other.replace(field, 4, "\xff\xff\xff\x7f");
        EXPECT_FALSE(opens(other)) << field;
        other.replace(field, 4, std::string(4, '\0'));
        EXPECT_FALSE(opens(other)) << field;
    }
}

// Of stories260K in Q4_0 from the F32 file, 16 windows of 128 tokens, llama-perplexity says: PPL 108.714590,
// base 101.007411, mean KLD 0.179713 +/- 0.007096, RMS dp 9.171 %, same top 71.032 %.
TEST_F(DivergenceTest, a_quantized_model_diverges_as_far_as_llama_perplexity_says) {
    INGLE_NEEDS(test::fixtures() / "text" / "wiki.test.raw");
    const auto quantized_file = test::fixtures() / "quant-models" / "stories260K-Q4_0.gguf";
    INGLE_NEEDS(quantized_file);
    const auto exact = open_model(tiny_model(), {.threads = 2, .reference = true});
    const auto quantized = open_model(quantized_file, {.threads = 2});
    ASSERT_OK(exact);
    ASSERT_OK(quantized);
    const auto windows = wiki_windows(**exact, 128, 16);
    ASSERT_OK(windows);
    ThreadPool pool(2);
    const auto session =
        open_for_windows(*exact, {.key_type = KvType::f32, .value_type = KvType::f32}, 128);
    ASSERT_OK(session);
    auto writer = LogitsWriter::create(file(), *windows, (*exact)->vocab());
    ASSERT_OK(writer);
    const auto surprise = measure_surprise(**session, *windows, pool, &*writer,
                                           [](int64_t, std::span<const double>) { return Status(); });
    ASSERT_OK(surprise);
    ASSERT_OK(writer->finish());
    const auto base = LogitsReader::open(file());
    ASSERT_OK(base);
    const auto quiet = [](int64_t, const DivergenceRows&) { return Status(); };

    const auto again = windows_of(*base, **exact);
    ASSERT_OK(again);
    EXPECT_EQ(again->window(2), windows->window(2));
    const auto own = measure_divergence(**session, *base, *again, pool, quiet);
    ASSERT_OK(own);
    const DivergenceSummary same = summarize(*own);
    EXPECT_NEAR(same.mean.value, 0, 1e-5);
    EXPECT_LT(same.greatest.value, 1e-4);
    EXPECT_EQ(same.same_top.value, 1);
    EXPECT_NEAR(same.perplexity.value, perplexity_of(*surprise).value, 1e-9);

    const auto other_session = open_for_windows(*quantized, {}, 128);
    ASSERT_OK(other_session);
    const auto other = measure_divergence(**other_session, *base, *again, pool, quiet);
    ASSERT_OK(other);
    const DivergenceSummary far = summarize(*other);
    EXPECT_NEAR(far.perplexity.value / 108.714590, 1, 0.01);
    EXPECT_NEAR(far.base_perplexity.value / 101.007411, 1, 1e-4);
    EXPECT_NEAR(far.mean.value / 0.179713, 1, 0.02);
    EXPECT_NEAR(far.mean.error / 0.007096, 1, 0.02);
    EXPECT_NEAR(far.change_rms.value, 0.09171, 0.002);
    EXPECT_NEAR(far.same_top.value, 0.71032, 0.01);

    EXPECT_EQ(other->first(1).size(), size_t(windows->scored()));
    const auto positions = divergence_by_position(*other, 8);
    ASSERT_EQ(positions.size(), 8u);
    EXPECT_EQ(positions.front().position, 65 + 3.5);
    double sum = 0, weighted = 0;
    for (const double value : other->divergence) sum += value;
    for (size_t i = 0; i < 8; ++i)  // the last bin holds 7 positions, the others 8
        weighted += positions[i].divergence.value * (i == 7 ? 7 : 8) * 16;
    EXPECT_NEAR(weighted, sum, 1e-9);
}

TEST(DivergenceSummary, paired_errors_follow_their_definitions) {
    DivergenceRows rows;
    rows.per_window = 4;
    rows.surprise = {1.0, 2.0, 3.0, 2.5};
    rows.base_surprise = {0.9, 2.1, 2.7, 2.5};
    rows.divergence = {0.1, 0.2, 0.3, 0.0};
    rows.probability_change = {0.01, -0.02, 0.0, 0.03};
    rows.same_top = {1, 1, 0, 1};
    const DivergenceSummary s = summarize(rows);
    std::vector<double> differences;
    for (size_t i = 0; i < 4; ++i) differences.push_back(rows.surprise[i] - rows.base_surprise[i]);
    const Estimate paired = mean_of(differences);
    EXPECT_NEAR(s.log_ratio.value, paired.value, 1e-12);
    EXPECT_NEAR(s.log_ratio.error, paired.error, 1e-12);
    EXPECT_NEAR(s.ratio.value, std::exp(paired.value), 1e-12);
    EXPECT_NEAR(s.difference.value, std::exp(2.125) - std::exp(2.05), 1e-9);
    EXPECT_NEAR(s.change_rms.value, std::sqrt(0.0014 / 4), 1e-12);
    EXPECT_NEAR(s.same_top.value, 0.75, 1e-12);
    EXPECT_NEAR(s.same_top.error, std::sqrt(0.75 * 0.25 / 3), 1e-12);
    EXPECT_GT(s.correlation, 0.9);
    EXPECT_LT(s.correlation, 1);
}

}  // namespace

}  // namespace ingle::evaluate
