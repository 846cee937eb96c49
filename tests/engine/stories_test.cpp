// The trained tiny model: published greedy text, and logits computed in float64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/generate.h"
#include "sampling/options.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

class StoriesTest : public testing::TestWithParam<bool> {
  protected:
    std::unique_ptr<Session> open(KvType kv) {
        const auto path = test::source_dir() / "models" / "stories260K.gguf";
        auto model = Model::load(Runtime::make({.threads = 2, .reference = GetParam()}),
                                 {.path = path, .progress = {}, .without_tokenizer = false});
        EXPECT_OK(model);
        if (!model.ok()) return nullptr;
        SessionOptions options;
        options.key_type = options.value_type = kv;
        options.outputs_max = 32;
        auto session = Session::open(*model, options);
        EXPECT_OK(session);
        return session.ok() ? std::move(*session) : nullptr;
    }
};

TEST_P(StoriesTest, greedy_text_is_the_published_one) {
    const auto golden = test::fixtures() / "golden" / "stories260K" / "llama2c-greedy-200steps.txt";
    INGLE_NEEDS(golden);
    const std::string expected = test::bytes_of(golden);
    const auto session = open(KvType::f32);
    ASSERT_NE(session, nullptr);
    OptionValues values(sampling::sampling_options());
    ASSERT_OK(values.set("temperature", 0.0));
    auto chain = sampling::Chain::make(
        values, {.size = int32_t(session->model().vocab()), .end_tokens = {}, .append_text = {}});
    ASSERT_OK(chain);
    const Token bos = session->model().tokenizer()->special().bos;
    GenerateOptions options;
    options.tokens_max = 200;
    options.begins_text = true;
    const auto result = generate(*session, {&bos, 1}, *chain, options, [](std::string_view) { return true; });
    ASSERT_OK(result);
    const size_t end = expected.find_last_not_of('\n') + 1;
    EXPECT_EQ(result->text.substr(0, end), expected.substr(0, end));
}

TEST_P(StoriesTest, logits_are_within_1e_4_of_exact_ones) {
    const auto folder = test::fixtures() / "golden" / "stories260K";
    INGLE_NEEDS(folder / "logits-pos0-31.f32");
    const auto expected = test::array_of<float>(folder / "logits-pos0-31.f32");
    const std::string greedy = test::bytes_of(folder / "greedy-256.json");
    const auto session = open(KvType::f32);
    ASSERT_NE(session, nullptr);
    // The tokens fed: BOS, then the best token at each step.
    std::vector<Token> tokens = {session->model().tokenizer()->special().bos};
    const size_t vocab = 512;
    for (size_t i = 0; i + 1 < expected.size() / vocab; ++i) {
        const auto row = std::span(expected).subspan(i * vocab, vocab);
        tokens.push_back(Token(std::ranges::max_element(row) - row.begin()));
    }
    double worst = 0;
    ASSERT_OK(session->evaluate(tokens, [&](int64_t index, std::span<const float> logits) {
        for (size_t i = 0; i < vocab; ++i)
            worst = std::max(worst, std::fabs(double(logits[i]) -
                                              double(expected[size_t(index) * vocab + i])));
        return Status();
    }));
    EXPECT_LE(worst, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(kernels, StoriesTest, testing::Values(true, false),
                         [](const auto& test) { return test.param ? "reference" : "fast"; });

}  // namespace

}  // namespace ingle
