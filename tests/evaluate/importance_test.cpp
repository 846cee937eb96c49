// Importance measured on a text, against what llama-imatrix wrote of the same text.
#include "evaluate/importance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support.h"

namespace ingle::evaluate {

namespace {

struct Measured {
    imatrix::Matrix matrix;
    size_t surprises = 0;
};

Result<Measured> measure(const RuntimeOptions& runtime, int64_t chunk_tokens, bool perplexity) {
    INGLE_ASSIGN(const auto model,
                 open_model(test::fixtures() / "quant-models" / "tiny-llama-F16.gguf", runtime));
    std::string text = test::bytes_of(test::fixtures() / "text" / "frankenstein.txt");
    text.resize(40 * 256 * 6);
    std::optional<Token> bos;
    if (model->tokenizer()->adds_bos()) bos = model->tokenizer()->special().bos;
    INGLE_ASSIGN(const auto windows,
                 cut_windows(model->tokenizer()->encode(text, {.add_special = true, .parse_special = false}),
                             {.size = 256, .windows_max = 40, .windows_min = 1},
                             bos));
    EXPECT_EQ(windows.count, 40);
    SessionOptions options;
    options.observe_inputs = true;
    options.without_logits = !perplexity;
    options.chunk_tokens = chunk_tokens;
    INGLE_ASSIGN(const auto session, open_for_windows(model, options, 256));
    ThreadPool pool(2);
    Measured measured;
    INGLE_TRY(measure_importance(*session, windows, pool, {.first_window = 0, .perplexity = perplexity},
                                 [&](int64_t, std::span<const double> surprise) {
                                     measured.surprises = surprise.size();
                                     return Status();
                                 }));
    measured.matrix = observed_importance(*session, true);
    EXPECT_EQ(observed_importance(*session, false).entries.size(), measured.matrix.entries.size() - 1);
    return measured;
}

TEST(Importance, is_what_llama_imatrix_measures) {
    const auto golden_path = test::fixtures() / "imatrix" / "tiny-llama.imatrix.gguf";
    INGLE_NEEDS(golden_path);
    const auto golden = imatrix::load(golden_path);
    ASSERT_OK(golden);
    const auto measured = measure({.threads = 2}, 512, true);
    ASSERT_OK(measured);
    EXPECT_EQ(measured->surprises, 40u * 127);
    ASSERT_EQ(measured->matrix.entries.size(), golden->entries.size());
    for (const auto& [name, entry] : golden->entries) {
        const auto found = measured->matrix.entries.find(name);
        ASSERT_NE(found, measured->matrix.entries.end()) << name;
        EXPECT_EQ(found->second.counts, entry.counts) << name;
        ASSERT_EQ(found->second.sums.size(), entry.sums.size()) << name;
        const double largest = double(*std::ranges::max_element(entry.sums));
        // The fixture itself is up to 1.6e-4 from float64, for its F16 cache.
        for (size_t c = 0; c < entry.sums.size(); ++c)
            ASSERT_NEAR(double(found->second.sums[c]) / largest, double(entry.sums[c]) / largest, 3e-4)
                << name << " column " << c;
    }
}

TEST(Importance, does_not_depend_on_threads_or_on_what_is_computed_at_once) {
    INGLE_NEEDS(test::fixtures() / "quant-models" / "tiny-llama-F16.gguf");
    const auto one = measure({.threads = 1}, 512, false);
    const auto other = measure({.threads = 2}, 96, true);
    ASSERT_OK(one);
    ASSERT_OK(other);
    EXPECT_EQ(one->surprises, 0u);
    EXPECT_EQ(one->matrix, other->matrix);
}

TEST(Importance, is_counted_by_expert) {
    const auto path = test::fixtures() / "arch" / "mixtral" / "model.gguf";
    INGLE_NEEDS(path);
    const auto model = Model::load(Runtime::make({.threads = 2}),
                                   {.path = path, .progress = {}, .without_tokenizer = true});
    ASSERT_OK(model);
    SessionOptions options;
    options.observe_inputs = true;
    const auto session = Session::open(*model, options);
    ASSERT_OK(session);
    std::vector<Token> tokens;
    for (Token t = 0; t < 90; ++t) tokens.push_back(t * 4 + 3);
    ASSERT_OK((*session)->evaluate_from(tokens, 0, [](int64_t, std::span<const float>) { return Status(); }));
    const imatrix::Matrix matrix = observed_importance(**session, false);
    const imatrix::Entry& gate = matrix.entries.at("blk.0.ffn_gate_exps.weight");
    const imatrix::Entry& down = matrix.entries.at("blk.0.ffn_down_exps.weight");
    EXPECT_EQ(gate, matrix.entries.at("blk.0.ffn_up_exps.weight"));
    EXPECT_EQ(gate.counts, down.counts);
    EXPECT_EQ(gate.columns(), 64u);
    EXPECT_EQ(down.columns(), 48u);
    float count = 0;
    for (const float each : gate.counts) count += each;
    EXPECT_EQ(count, 90 * 2);
    // What all experts meet together is what the router met, each row twice.
    const imatrix::Entry& router = matrix.entries.at("blk.0.ffn_gate_inp.weight");
    for (size_t c = 0; c < 64; ++c) {
        double sum = 0;
        for (size_t e = 0; e < 4; ++e) sum += double(gate.sums[e * 64 + c]);
        EXPECT_NEAR(sum, 2 * double(router.sums[c]), 1e-4 * sum) << c;
    }
    EXPECT_OK(imatrix::means(gate, 64, 4));
}

}  // namespace

}  // namespace ingle::evaluate
