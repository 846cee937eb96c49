// Perplexity against values computed in float64 and against those of llama-perplexity.
#include "evaluate/perplexity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support.h"

namespace ingle::evaluate {

namespace {

const PerplexityDone no_report = [](int64_t, std::span<const double>) { return Status(); };

TEST(Perplexity, every_token_is_as_surprising_as_exact_arithmetic_says) {
    const auto path = test::fixtures() / "golden" / "stories260K" / "perplexity-wiki.json";
    INGLE_NEEDS(path);
    const auto golden = nlohmann::json::parse(test::bytes_of(path));
    const auto model = open_model(tiny_model(), {.threads = 2, .reference = true});
    ASSERT_OK(model);
    ThreadPool pool(2);
    for (const auto& run : golden["runs"]) {
        const int64_t size = run["n_ctx"];
        const auto windows = wiki_windows(**model, size, 4);
        ASSERT_OK(windows);
        const auto session = open_for_windows(
            *model, {.key_type = KvType::f32, .value_type = KvType::f32}, size);
        ASSERT_OK(session);
        const auto surprise = measure_surprise(**session, *windows, pool, nullptr, no_report);
        ASSERT_OK(surprise);
        EXPECT_NEAR(perplexity_of(*surprise).value, double(run["ppl_4_chunks"]), 5e-5);
        size_t at = 0;
        for (const auto& chunk : run["chunks"]) {
            EXPECT_EQ(windows->window(chunk["chunk"]), chunk["tokens"].get<std::vector<Token>>());
            const std::vector<double> exact = chunk["nll"];
            for (size_t i = size_t(windows->first_scored); i < exact.size(); ++i)
                EXPECT_NEAR((*surprise)[at++], exact[i], 1e-4);
        }
        EXPECT_EQ(at, surprise->size());
    }
}

// llama-perplexity on the same weights in F16, 512 tokens, after 4 windows (real-models/NAME-kld.json).
struct RealModel {
    const char* name;
    const char* file;
};

class RealPerplexity : public testing::TestWithParam<RealModel> {};

TEST_P(RealPerplexity, is_that_of_llama_perplexity_within_3_per_mille) {
    const auto file = test::real_model(GetParam().file);
    INGLE_NEEDS(file);
    const auto golden_path =
        test::fixtures() / "golden" / "real-models" / cat(GetParam().name, "-kld.json");
    INGLE_NEEDS(golden_path);
    const auto golden = nlohmann::json::parse(test::bytes_of(golden_path));
    const double expected = golden["base"]["perplexity"]["running"][3];
    const auto model = open_model(file, {.threads = 2});
    ASSERT_OK(model);
    const auto windows = wiki_windows(**model, 512, 4);
    ASSERT_OK(windows);
    const auto session = open_for_windows(*model, {}, 512);
    ASSERT_OK(session);
    ThreadPool pool(2);
    const auto surprise = measure_surprise(**session, *windows, pool, nullptr, no_report);
    ASSERT_OK(surprise);
    EXPECT_NEAR(perplexity_of(*surprise).value / expected, 1, 0.003);
}

INSTANTIATE_TEST_SUITE_P(models, RealPerplexity,
                         testing::Values(RealModel{"smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"},
                                         RealModel{"gemma3", "gemma-3-270m-q4_k_m.gguf"}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace

}  // namespace ingle::evaluate
