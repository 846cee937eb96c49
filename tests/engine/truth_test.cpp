// Two real models against exact arithmetic over the same quantized weights: the mean KL divergence of our next-token
// distributions from the truth's, its 64 largest probabilities plus the rest as one bin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/session.h"
#include "support/fixtures.h"
#include "support/npz.h"

namespace ingle {

namespace {

struct Case {
    const char* name;
    const char* model;
    const char* truth;
    RuntimeOptions runtime;
    KvType kv;
    double mean_kld_max;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

double log_sum_exp(std::span<const float> logits) {
    double highest = -INFINITY;
    for (const float x : logits) highest = std::max(highest, double(x));
    double sum = 0;
    for (const float x : logits) sum += std::exp(double(x) - highest);
    return highest + std::log(sum);
}

// Divergence at one position from the truth's top tokens and the rest.
double divergence(std::span<const float> logits, std::span<const int32_t> top_ids,
                  std::span<const float> top_logits, double truth_log_sum) {
    const double log_sum = log_sum_exp(logits);
    double kld = 0, truth_rest = 1, our_rest = 1;
    for (size_t i = 0; i < top_ids.size(); ++i) {
        const double truth = double(top_logits[i]) - truth_log_sum;
        const double ours = double(logits[size_t(top_ids[i])]) - log_sum;
        kld += std::exp(truth) * (truth - ours);
        truth_rest -= std::exp(truth);
        our_rest -= std::exp(ours);
    }
    if (truth_rest > 1e-9 && our_rest > 1e-12) kld += truth_rest * std::log(truth_rest / our_rest);
    return kld;
}

class TruthTest : public testing::TestWithParam<Case> {};

TEST_P(TruthTest, the_distribution_stays_close_to_exact_arithmetic) {
    const Case& c = GetParam();
    const auto truth_path = test::fixtures() / "golden" / "real-models" / c.truth;
    INGLE_NEEDS(truth_path);
    const auto path = test::real_model(c.model);
    INGLE_NEEDS(path);
    const test::Npz truth(truth_path);
    const auto ids = truth.array<int32_t>("ids");
    const auto top_ids = truth.array<int32_t>("top_ids");
    const auto top_logits = truth.array<float>("top_logits");
    const auto log_sums = truth.array<float>("logsumexp");
    const size_t top = top_ids.size() / log_sums.size();

    auto model = Model::load(Runtime::make(c.runtime),
                             {.path = path, .progress = {}, .without_tokenizer = true});
    ASSERT_OK(model);
    SessionOptions options;
    options.context_tokens = int64_t(ids.size());
    options.key_type = options.value_type = c.kv;
    options.outputs_max = 64;
    auto session = Session::open(*model, options);
    ASSERT_OK(session);
    double sum = 0;
    ASSERT_OK((*session)->evaluate(ids, [&](int64_t index, std::span<const float> logits) {
        const size_t i = size_t(index);
        if (i < log_sums.size())
            sum += divergence(logits, std::span(top_ids).subspan(i * top, top),
                              std::span(top_logits).subspan(i * top, top), double(log_sums[i]));
        return Status();
    }));
    const double mean = sum / double(log_sums.size());
    RecordProperty("mean_kld", std::to_string(mean));
    std::printf("mean KL divergence of %s: %.7f\n", c.name, mean);
    EXPECT_LE(mean, c.mean_kld_max);
}

constexpr const char* smollm2 = "SmolLM2-135M-Instruct.Q4_1.gguf";
constexpr const char* smollm2_truth = "smollm2-135m-truth-512.npz";
constexpr const char* gemma3 = "gemma-3-270m-q4_k_m.gguf";
constexpr const char* gemma3_truth = "gemma3-270m-truth-768.npz";

// The bounds of the default are what llama.cpp reaches with its 8-bit activations; precise promises half of it.
const Case fast[] = {
    {"smollm2_default", smollm2, smollm2_truth, {}, KvType::f16, 0.0022},
    {"smollm2_precise", smollm2, smollm2_truth, {.precise = true}, KvType::f16, 0.0011},
    {"gemma3_default", gemma3, gemma3_truth, {}, KvType::f16, 0.0033},
    {"gemma3_precise", gemma3, gemma3_truth, {.precise = true}, KvType::f16, 0.00165}};
const Case reference[] = {
    {"smollm2_reference", smollm2, smollm2_truth, {.reference = true}, KvType::f32, 1e-6},
    {"gemma3_reference", gemma3, gemma3_truth, {.reference = true}, KvType::f32, 1e-6}};

const auto name_of = [](const auto& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(models, TruthTest, testing::ValuesIn(fast), name_of);
INSTANTIATE_TEST_SUITE_P(long, TruthTest, testing::ValuesIn(reference), name_of);

}  // namespace

}  // namespace ingle
