// Each sampler's rule on distributions small enough to work out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "sampling/sampling_support.h"

namespace ingle::sampling {

using namespace test;

namespace {

std::vector<float> logs(std::initializer_list<double> probabilities) {
    std::vector<float> logits;
    for (const double p : probabilities) logits.push_back(float(std::log(p)));
    return logits;
}

// The logit that the candidates hold for a token after a draw.
double logit_after(Chain& chain, const std::vector<float>& logits, Token token) {
    EXPECT_OK(chain.sample(logits));
    return double(chain.last().logits()[*chain.last().find(token)]);
}

}  // namespace

TEST(TopK, the_k_likeliest_stay_and_equals_go_by_id) {
    expect_near(distribution(only("top_k", {{"top_k", "2"}}), logs({0.1, 0.2, 0.3, 0.4})),
                {{2, 3.0 / 7}, {3, 4.0 / 7}});
    expect_near(distribution(only("top_k", {{"top_k", "2"}}), {1, 5, 1, 1}),
                {{0, 1 / (1 + std::exp(4))}, {1, 1 / (1 + std::exp(-4))}});
}

TEST(TopP, the_likeliest_that_reach_p_stay) {
    const std::vector<float> logits = logs({0.1, 0.2, 0.3, 0.4});
    expect_near(distribution(only("top_p", {{"top_p", "0.6"}}), logits),
                {{2, 3.0 / 7}, {3, 4.0 / 7}});
    expect_near(distribution(only("top_p", {{"top_p", "0.75"}}), logits),
                {{1, 2.0 / 9}, {2, 3.0 / 9}, {3, 4.0 / 9}});
    expect_near(distribution(only("top_p", {{"top_p", "0"}}), logits), {{3, 1}});
    expect_near(distribution(only("top_p", {{"top_p", "0"}, {"min_keep", "2"}}), logits),
                {{2, 3.0 / 7}, {3, 4.0 / 7}});
}

TEST(MinP, tokens_p_times_as_likely_as_the_likeliest_stay) {
    const std::vector<float> logits = logs({0.1, 0.2, 0.3, 0.4});
    expect_near(distribution(only("min_p", {{"min_p", "0.26"}}), logits),
                {{1, 2.0 / 9}, {2, 3.0 / 9}, {3, 4.0 / 9}});
    expect_near(distribution(only("min_p", {{"min_p", "0.7"}}), logits),
                {{2, 3.0 / 7}, {3, 4.0 / 7}});
    expect_near(distribution(only("min_p", {{"min_p", "1"}}), logits), {{3, 1}});
}

TEST(TypicalP, the_most_typical_stay) {
    expect_near(distribution(only("typ_p", {{"typical_p", "0.5"}}), logs({0.97, 0.01, 0.01, 0.01})),
                {{0, 1}});
    expect_near(distribution(only("typ_p", {{"typical_p", "0.5"}}), logs({0.4, 0.2, 0.2, 0.2})),
                {{1, 1.0 / 3}, {2, 1.0 / 3}, {3, 1.0 / 3}});
}

TEST(TopNSigma, logits_within_n_deviations_stay) {
    // mean 2, sigma 2: n = 1 keeps logits of at least 4 - 2 = 2
    expect_near(distribution(only("top_n_sigma", {{"top_n_sigma", "1"}}), {4, 0, 0, 4}),
                {{0, 0.5}, {3, 0.5}});
    for (const char* n : {"2.01", "0", "-1"})
        EXPECT_EQ(distribution(only("top_n_sigma", {{"top_n_sigma", n}}), {4, 0, 0, 4}).size(), 4u);
}

TEST(Xtc, the_likely_tokens_go_but_for_the_least_of_them) {
    const std::vector<float> logits = logs({0.4, 0.3, 0.2, 0.1});
    const auto with = [&](const char* probability, const char* threshold, const char* keep = "0") {
        return distribution(only("xtc", {{"xtc_probability", probability},
                                         {"xtc_threshold", threshold}, {"min_keep", keep}}),
                            logits);
    };
    expect_near(with("1", "0.25"), {{1, 3.0 / 6}, {2, 2.0 / 6}, {3, 1.0 / 6}});
    expect_near(with("1", "0.15"), {{2, 2.0 / 3}, {3, 1.0 / 3}});
    EXPECT_EQ(with("1", "0.35").size(), 4u);      // only one is above
    EXPECT_EQ(with("1", "0.51").size(), 4u);      // off
    EXPECT_EQ(with("0", "0.1").size(), 4u);       // off
    EXPECT_EQ(with("1", "0.15", "3").size(), 4u);  // would leave fewer than min_keep
}

TEST(Xtc, happens_as_often_as_asked) {
    Chain chain = chain_of(only("xtc", {{"xtc_probability", "0.3"}, {"xtc_threshold", "0.1"}}),
                           vocabulary_of(2));
    int excluded = 0;
    for (int i = 0; i < 10000; ++i) excluded += distribution(chain, logs({0.6, 0.4})).size() == 1;
    EXPECT_NEAR(excluded, 3000, 4 * std::sqrt(10000 * 0.3 * 0.7));
}

TEST(Temperature, divides_the_logits) {
    Chain chain = chain_of(only("temperature", {{"temperature", "0.5"}}), vocabulary_of(3));
    EXPECT_EQ(logit_after(chain, {1, -2, 3}, 1), -4);
    expect_near(distribution(only("temperature", {{"temperature", "0"}}), {1, 3, 3}), {{1, 1}});
}

TEST(Temperature, follows_the_entropy_within_its_range) {
    const auto with = [](const std::vector<float>& logits) {
        return distribution(only("temperature", {{"temperature", "1"}, {"dynatemp_range", "0.5"},
                                                 {"dynatemp_exponent", "2"}}),
                            logits);
    };
    expect_near(with({0, 0, 0, 0}), {{0, 0.25}, {1, 0.25}, {2, 0.25}, {3, 0.25}});
    // p = (0.8, 0.2): H = 0.50040 nats, H / ln 2 = 0.72193; T = 0.5 + 0.52118 = 1.02118
    const double ratio = std::pow(0.25, 1 / 1.02118);
    expect_near(with(logs({0.8, 0.2})), {{0, 1 / (1 + ratio)}, {1, ratio / (1 + ratio)}});
}

// Row 20 of the bug log: each knob alone changes the logits of seen tokens by the documented
// amount.
TEST(Penalties, each_knob_alone_has_its_documented_effect) {
    const std::vector<float> logits = {2, -3, 4, 0.5};
    const auto after = [&](const char* name, const char* value, Token token) {
        Chain chain = chain_of(only("penalties", {{name, value}}), vocabulary_of(4));
        for (const Token seen : {0, 1, 1, 1, 3}) chain.accept(seen);
        return logit_after(chain, logits, token);
    };
    EXPECT_EQ(after("repeat_penalty", "2", 0), 1);      // positive: divided
    EXPECT_EQ(after("repeat_penalty", "2", 1), -6);     // negative: multiplied, once
    EXPECT_EQ(after("repeat_penalty", "2", 2), 4);      // unseen
    EXPECT_EQ(after("presence_penalty", "2", 0), 0);
    EXPECT_EQ(after("presence_penalty", "2", 1), -5);   // not by count
    EXPECT_EQ(after("presence_penalty", "2", 2), 4);
    EXPECT_EQ(after("frequency_penalty", "2", 0), 0);
    EXPECT_EQ(after("frequency_penalty", "2", 1), -9);  // 3 occurrences
    EXPECT_EQ(after("frequency_penalty", "-1", 1), 0);
    EXPECT_EQ(after("frequency_penalty", "2", 2), 4);
}

TEST(Penalties, the_window_is_the_last_n_tokens) {
    const auto after = [](const char* last, int64_t context) {
        const Settings settings = {{"frequency_penalty", "1"}, {"repeat_last_n", last}};
        Chain chain = chain_of(only("penalties", settings), vocabulary_of(3), context);
        std::vector<double> found;
        for (const Token token : {0, 0, 1, 0, 2, 2}) {
            chain.accept(token);
            found.push_back(-logit_after(chain, {0, 0, 0}, 0));
        }
        return found;
    };
    EXPECT_EQ(after("3", 0), (std::vector<double>{1, 2, 2, 2, 1, 1}));
    EXPECT_EQ(after("1", 0), (std::vector<double>{1, 1, 0, 1, 0, 0}));
    EXPECT_EQ(after("-1", 0), (std::vector<double>{1, 2, 2, 3, 3, 3}));
    EXPECT_EQ(after("-1", 4), (std::vector<double>{1, 2, 2, 3, 2, 1}));
    EXPECT_EQ(after("1000000000000", 4), (std::vector<double>{1, 2, 2, 3, 2, 1}));
    EXPECT_EQ(after("0", 0), (std::vector<double>{0, 0, 0, 0, 0, 0}));
}

TEST(LogitBias, adds_and_forbids) {
    const std::vector<float> logits = logs({0.5, 0.3, 0.2});
    expect_near(distribution(only("", {{"logit_bias", "0-inf"}}), logits), {{1, 0.6}, {2, 0.4}});
    expect_near(distribution(only("", {{"logit_bias", "0=false"}}), logits), {{1, 0.6}, {2, 0.4}});
    const Settings twice = {
        {"logit_bias", "2+1"}, {"logit_bias", "2-2.5"}, {"logit_bias", "1=0.5"}};
    Chain chain = chain_of(only("", twice), vocabulary_of(3));
    EXPECT_NEAR(logit_after(chain, logits, 2), std::log(0.2) - 1.5, 1e-6);
    EXPECT_NEAR(logit_after(chain, logits, 1), std::log(0.3) + 0.5, 1e-6);
}

TEST(LogitBias, what_cannot_be_read_is_refused) {
    for (const char* text : {"", "5", "x+1", "-1+1", "1*2", "1+", "1+x", "1+nan", "1+inf", "3+1",
                             "99999999999+1", "1=true"}) {
        const Result<Chain> chain =
            Chain::make(options_of({{"logit_bias", text}}), vocabulary_of(3));
        ASSERT_FALSE(chain.ok()) << text;
        EXPECT_EQ(chain.status().code(), Code::invalid_argument);
    }
}

TEST(LogitBias, forbidding_everything_is_an_error_of_the_caller) {
    Chain chain = chain_of(only("top_k", {{"logit_bias", "0-inf"}, {"logit_bias", "1-inf"}}),
                           vocabulary_of(2));
    const Result<Token> token = chain.sample(std::vector<float>{1, 2});
    ASSERT_FALSE(token.ok());
    EXPECT_EQ(token.status().code(), Code::invalid_argument);
}

TEST(IgnoreEos, end_tokens_cannot_be_drawn) {
    VocabularyInfo vocabulary = vocabulary_of(4);
    vocabulary.end_tokens = {3, 0, 77};
    Chain chain = chain_of(only("", {{"ignore_eos", "true"}}), vocabulary);
    expect_near(distribution(chain, logs({0.4, 0.2, 0.2, 0.2})), {{1, 0.5}, {2, 0.5}});
}

// Row 20: mu moves with every token by the documented amount, and no two chains share it.
TEST(Mirostat, version_2_cuts_at_mu_and_mu_follows_the_surprise) {
    Random random(4);
    std::vector<float> logits(200);
    for (float& logit : logits) logit = float(3 * random.normal());
    Chain chain = chain_of({{"mirostat", "2"}, {"mirostat_tau", "3"}, {"mirostat_eta", "0.3"},
                            {"temperature", "1"}, {"seed", "9"}, {"top_k", "1"}},
                           vocabulary_of(200));
    Chain other = chain.clone();
    double total = 0;
    for (const float logit : logits) total += std::exp(double(logit));
    double mu = 6;
    size_t different_sizes = 0, size_before = 0;
    for (int step = 0; step < 50; ++step) {
        size_t expected = 0;
        for (const float logit : logits)
            expected += -std::log2(std::exp(double(logit)) / total) <= mu;
        const Token token = *chain.sample(logits);
        ASSERT_EQ(chain.last().size(), std::max<size_t>(expected, 1)) << step;
        different_sizes += std::exchange(size_before, expected) != expected;
        const double p = double(chain.last().probabilities()[*chain.last().find(token)]);
        mu -= 0.3 * (-std::log2(p) - 3);
    }
    EXPECT_GT(different_sizes, 25u);
    EXPECT_OK(other.sample(logits));
    chain.reset();
    EXPECT_OK(chain.sample(logits));
    EXPECT_EQ(chain.last().size(), other.last().size());
}

TEST(Mirostat, version_1_keeps_k_by_the_zipf_estimate) {
    Random random(6);
    std::vector<float> logits(500);
    for (float& logit : logits) logit = float(2 * random.normal());
    Chain chain = chain_of({{"mirostat", "1"}, {"mirostat_tau", "3"}, {"temperature", "1"},
                            {"seed", "2"}},
                           vocabulary_of(500));
    std::vector<double> p(logits.begin(), logits.end());
    std::ranges::sort(p, std::greater<>());
    for (double& x : p) x = std::exp(x);
    double products = 0, squares = 0;
    for (int i = 0; i < 99; ++i) {
        const double t = std::log(double(i + 2) / (i + 1));
        products += t * std::log(p[size_t(i)] / p[size_t(i) + 1]);
        squares += t * t;
    }
    const double s = products / squares, e = s - 1;
    double mu = 6;
    for (int step = 0; step < 30; ++step) {
        const double k = std::pow(e * std::pow(2, mu) / (1 - std::pow(500, -e)), 1 / s);
        const Token token = *chain.sample(logits);
        ASSERT_EQ(chain.last().size(), size_t(std::clamp(k, 1.0, 500.0))) << step;
        const double drawn = double(chain.last().probabilities()[*chain.last().find(token)]);
        mu -= 0.1 * (-std::log2(drawn) - 3);
    }
}

TEST(Mirostat, extreme_settings_draw_something) {
    std::vector<float> logits(300);
    for (size_t i = 0; i < logits.size(); ++i) logits[i] = float(i % 7);
    for (const char* version : {"1", "2"})
        for (const char* tau : {"0", "1e300"})
            for (const char* eta : {"0", "1e300"})
                for (const std::vector<float>& row : {logits, std::vector<float>(300, 1.0f)}) {
                    Chain chain = chain_of({{"mirostat", version}, {"mirostat_tau", tau},
                                            {"mirostat_eta", eta}, {"seed", "2"}},
                                           vocabulary_of(300));
                    for (int i = 0; i < 5; ++i) ASSERT_OK(chain.sample(row));
                }
}

TEST(Mirostat, replaces_truncation_but_no_penalty) {
    const Chain chain = chain_of({{"mirostat", "2"}, {"repeat_penalty", "1.1"}}, vocabulary_of(9));
    EXPECT_EQ(chain.describe(), "penalties -> temperature -> mirostat -> draw");
    const Result<Chain> both = Chain::make(
        options_of({{"mirostat", "1"}, {"adaptive_target", "0.5"}}), vocabulary_of(9));
    EXPECT_NE(both.status().message().find("both choose"), std::string::npos);
}

TEST(AdaptiveP, favours_tokens_near_the_target_and_steers_the_average) {
    Chain chain = chain_of({{"samplers", "temperature;adaptive_p;min_p"}, {"temperature", "1"},
                            {"min_p", "0"}, {"adaptive_target", "0.3"}, {"seed", "1"}},
                           vocabulary_of(3));
    EXPECT_EQ(chain.describe(), "adaptive_p -> draw");
    const std::vector<double> p = {0.7, 0.25, 0.05};
    double sum = 0.3 * 10, weight = 10;
    for (int step = 0; step < 20; ++step) {
        const double aim = std::clamp(0.6 - sum / weight, 0.0, 1.0);
        std::vector<double> shaped;
        double total = 0;
        for (const double x : p) {
            const double d = std::abs(x - aim) / 0.3;
            total += shaped.emplace_back(std::exp(5 - 10 * d * d / (1 + d)));
        }
        expect_near(distribution(chain, logs({0.7, 0.25, 0.05})),
                    {{0, shaped[0] / total}, {1, shaped[1] / total}, {2, shaped[2] / total}}, 1e-4);
        // Which one was drawn: only that moves the average, so look one step ahead with a clone.
        Chain ahead = chain.clone();
        const double after = distribution(ahead, logs({0.7, 0.25, 0.05})).at(0);
        size_t drawn = 0;
        double best = 1;
        for (size_t i = 0; i < 3; ++i) {
            const double next_aim =
                std::clamp(0.6 - (p[i] + 0.9 * sum) / (1 + 0.9 * weight), 0.0, 1.0);
            double all = 0, first = 0;
            for (const double x : p) {
                const double d = std::abs(x - next_aim) / 0.3;
                all += std::exp(5 - 10 * d * d / (1 + d));
                if (x == p[0]) first = all;
            }
            const double error = std::abs(first / all - after);
            if (error < best) best = error, drawn = i;
        }
        EXPECT_LT(best, 1e-4);
        sum = p[drawn] + 0.9 * sum;
        weight = 1 + 0.9 * weight;
    }
}

TEST(Infill, ends_when_unsure_and_merges_prefixes) {
    const VocabularyInfo vocabulary =
        vocabulary_of({"abc", "abcd", "abcde", "dummy", "<end>"}, {4});
    Chain chain = chain_of(only("infill", {}), vocabulary);
    EXPECT_EQ(chain.describe(), "infill -> draw");
    // abc takes what abcd and abcde have; dummy is below 0.2 and goes; the end token stays with its
    // own share
    expect_near(distribution(chain, logs({0.55, 0.2, 0.1, 0.13, 0.02})),
                {{0, 0.85 / 0.87}, {4, 0.02 / 0.87}});
    // 5 * 0.3 > 0.7: the end
    expect_near(distribution(chain, logs({0.3, 0.1, 0.1, 0.2, 0.3})), {{4, 1}});
    // nothing reaches 0.2: the end, though it is unlikely
    const VocabularyInfo flat = vocabulary_of({"a", "b", "c", "d", "e", "f", "<end>"}, {6});
    Chain unsure = chain_of(only("infill", {}), flat);
    expect_near(distribution(unsure, logs({0.18, 0.17, 0.17, 0.16, 0.16, 0.15, 0.01})), {{6, 1}});
    EXPECT_FALSE(Chain::make(options_of(only("infill", {})), vocabulary_of(5)).ok());
}

}  // namespace ingle::sampling
