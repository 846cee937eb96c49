// The chain: order, seeds, the draw itself, bad logits, masks, reports.
#include "sampling/chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sampling/exact_math.h"
#include "sampling/probabilities.h"
#include "sampling/sampling_support.h"

namespace ingle::sampling {

using namespace test;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> logs(std::initializer_list<double> probabilities) {
    std::vector<float> logits;
    for (const double p : probabilities) logits.push_back(float(std::log(p)));
    return logits;
}

std::vector<float> random_logits(size_t count, uint64_t seed, double spread = 3) {
    Random random(seed);
    std::vector<float> logits(count);
    for (float& logit : logits) logit = float(spread * random.normal());
    return logits;
}

}  // namespace

TEST(Chain, the_default_order_is_that_of_llama_cpp) {
    std::string names;
    for (const std::string& name : default_samplers()) names += (names.empty() ? "" : ";") + name;
    EXPECT_EQ(names, "penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature");
    EXPECT_EQ(default_sampler_sequence(), "edskypmxt");
}

TEST(Chain, defaults_are_those_of_llama_cpp) {
    const OptionValues values(sampling_options());
    EXPECT_EQ(values.integer("seed"), -1);
    EXPECT_EQ(values.real("temperature"), 0.8);
    EXPECT_EQ(values.real("dynatemp_range"), 0);
    EXPECT_EQ(values.real("dynatemp_exponent"), 1);
    EXPECT_EQ(values.integer("top_k"), 40);
    EXPECT_EQ(values.real("top_p"), 0.95);
    EXPECT_EQ(values.real("min_p"), 0.05);
    EXPECT_EQ(values.real("top_n_sigma"), -1);
    EXPECT_EQ(values.real("typical_p"), 1);
    EXPECT_EQ(values.real("xtc_probability"), 0);
    EXPECT_EQ(values.real("xtc_threshold"), 0.1);
    EXPECT_EQ(values.integer("repeat_last_n"), 64);
    EXPECT_EQ(values.real("repeat_penalty"), 1);
    EXPECT_EQ(values.real("presence_penalty"), 0);
    EXPECT_EQ(values.real("frequency_penalty"), 0);
    EXPECT_EQ(values.real("dry_multiplier"), 0);
    EXPECT_EQ(values.real("dry_base"), 1.75);
    EXPECT_EQ(values.integer("dry_allowed_length"), 2);
    EXPECT_EQ(values.integer("dry_penalty_last_n"), 64);
    EXPECT_EQ(values.list("dry_sequence_breakers"),
              (std::vector<std::string>{"\n", ":", "\"", "*"}));
    EXPECT_EQ(values.real("adaptive_target"), -1);
    EXPECT_EQ(values.real("adaptive_decay"), 0.9);
    EXPECT_EQ(values.integer("mirostat"), 0);
    EXPECT_EQ(values.real("mirostat_tau"), 5);
    EXPECT_EQ(values.real("mirostat_eta"), 0.1);
    EXPECT_FALSE(values.flag("ignore_eos"));
}

TEST(Chain, the_order_can_be_given_by_names_aliases_or_letters) {
    const Settings on = {{"typical_p", "0.9"}, {"xtc_probability", "1"}, {"seed", "1"}};
    const auto described = [&](Settings more) {
        Settings settings = on;
        settings.insert(settings.end(), more.begin(), more.end());
        return chain_of(settings, vocabulary_of(100)).describe();
    };
    EXPECT_EQ(described({}), "top_k -> typ_p -> top_p -> min_p -> xtc -> temperature -> draw");
    EXPECT_EQ(described({{"samplers", "temp; min-p ;nucleus;typical"}}),
              "temperature -> min_p -> top_p -> typ_p -> draw");
    EXPECT_EQ(described({{"samplers", "top_k"}, {"samplers", "top_p"}}), "top_k -> top_p -> draw");
    EXPECT_EQ(described({{"sampler_seq", "tkk"}}), "temperature -> top_k -> top_k -> draw");
    EXPECT_EQ(described({{"sampler_seq", ""}}), "draw");
    EXPECT_EQ(described({{"samplers", ""}}), "draw");
    EXPECT_EQ(described({{"sampler_seq", "t"}, {"samplers", "min_p"}}), "min_p -> draw");
}

TEST(Chain, an_unknown_sampler_is_refused_with_the_nearest_name) {
    const auto message = [](const Settings& settings) {
        return Chain::make(options_of(settings), vocabulary_of(10)).status().message();
    };
    EXPECT_NE(message({{"samplers", "top_k;top_kk"}}).find("did you mean 'top_k'"),
              std::string::npos);
    EXPECT_NE(message({{"sampler_seq", "kz"}}).find("'z'"), std::string::npos);
    EXPECT_NE(message({{"samplers", "mirostat"}}).find("unknown"), std::string::npos);
}

TEST(Chain, a_draw_follows_the_probabilities) {
    // Chi-square of 40000 draws over 8 tokens, 7 degrees of freedom: below 24.3 in 999 of 1000
    // runs; the seed is fixed.
    const std::vector<double> p = {0.3, 0.22, 0.16, 0.12, 0.08, 0.06, 0.04, 0.02};
    std::vector<float> logits;
    for (const double x : p) logits.push_back(float(std::log(x)));
    Chain chain = chain_of(only("", {}), vocabulary_of(p.size()));
    std::vector<double> counts(p.size());
    constexpr int draws = 40000;
    for (int i = 0; i < draws; ++i) counts[size_t(*chain.sample(logits))] += 1;
    double chi_square = 0;
    for (size_t i = 0; i < p.size(); ++i)
        chi_square += (counts[i] - draws * p[i]) * (counts[i] - draws * p[i]) / (draws * p[i]);
    EXPECT_LT(chi_square, 24.3);
}

TEST(Chain, a_seed_gives_the_same_tokens_on_every_platform) {
    // Values of the first build with this generator: they may never change.
    const std::vector<float> logits = random_logits(1000, 7);
    Chain chain = chain_of({{"seed", "42"}}, vocabulary_of(1000));
    std::vector<Token> tokens;
    for (int i = 0; i < 8; ++i) tokens.push_back(*chain.sample(logits));
    const std::vector<Token> first = {67, 184, 67, 695, 352, 184, 352, 352};
    EXPECT_EQ(tokens, first);
    chain.reset();
    for (Token& token : tokens) token = *chain.sample(logits);
    EXPECT_EQ(tokens, first);
    EXPECT_EQ(chain.seed(), 42u);
}

TEST(Chain, a_seed_of_minus_one_is_another_each_time_and_is_told) {
    const Chain a = chain_of({}, vocabulary_of(10));
    const Chain b = chain_of({}, vocabulary_of(10));
    EXPECT_NE(a.seed(), b.seed());
    const Chain c = chain_of({{"seed", "4294967295"}}, vocabulary_of(10));
    EXPECT_NE(c.seed(), 4294967295u);
}

TEST(Chain, a_clone_continues_alike_and_apart) {
    const std::vector<float> logits = random_logits(500, 3);
    Chain chain = chain_of({{"seed", "5"}, {"mirostat", "2"}, {"repeat_penalty", "1.3"}},
                           vocabulary_of(500));
    for (int i = 0; i < 5; ++i) chain.accept(*chain.sample(logits));
    Chain fork = chain.clone();
    for (int i = 0; i < 20; ++i) {
        const Token token = *chain.sample(logits);
        EXPECT_EQ(token, *fork.sample(logits));
        chain.accept(token);
        fork.accept(token);
    }
}

TEST(Chain, logits_of_the_wrong_number_are_refused) {
    Chain chain = chain_of({}, vocabulary_of(10));
    const Result<Token> token = chain.sample(std::vector<float>(9));
    ASSERT_FALSE(token.ok());
    EXPECT_EQ(token.status().message(), "sampling: expected 10 logits, found 9");
}

// Row 17 of the bug log: rows that are all -inf or NaN fail alone; single bad values do not.
TEST(Chain, rows_without_a_possible_token_fail_and_are_counted) {
    for (const char* temperature : {"0", "0.8", "1e-5", "1e-38"}) {
        for (const char* mirostat : {"0", "1", "2"}) {
            Chain chain = chain_of(
                {{"temperature", temperature}, {"mirostat", mirostat}, {"seed", "1"}},
                vocabulary_of(300));
            for (const float bad : {-inf, nan, -nan}) {
                const Result<Token> token = chain.sample(std::vector<float>(300, bad));
                ASSERT_FALSE(token.ok());
                EXPECT_EQ(token.status().code(), Code::internal);
            }
            EXPECT_EQ(chain.counters().failed_draws, 3u);
            EXPECT_EQ(chain.counters().nan_logits, 600u);
            std::vector<float> good(300, -inf);
            good[123] = -5;
            EXPECT_EQ(*chain.sample(good), 123);  // the chain goes on
        }
    }
}

TEST(Chain, one_nan_counts_as_minus_infinity) {
    std::vector<float> logits = {1, nan, 2, -nan};
    for (const char* temperature : {"0", "0.8", "5"}) {
        Chain chain = chain_of({{"temperature", temperature}, {"seed", "1"}}, vocabulary_of(4));
        for (int i = 0; i < 50; ++i) EXPECT_EQ(*chain.sample(logits) % 2, 0);
        EXPECT_EQ(chain.counters().nan_logits, 100u);
    }
}

TEST(Chain, infinite_logits_are_drawn_alone_and_equally) {
    std::vector<float> logits = {1, inf, 2, nan, 3};
    Chain chain = chain_of({{"seed", "1"}}, vocabulary_of(5));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(*chain.sample(logits), 1);
    logits[4] = inf;
    expect_near(distribution(chain, logits), {{1, 0.5}, {4, 0.5}});
    EXPECT_EQ(chain.counters().infinite_logits, 22u);
}

TEST(Chain, tiny_temperatures_equal_argmax_and_others_are_refused_or_greedy) {
    const std::vector<float> logits = random_logits(1000, 11);
    const auto best = Token(std::ranges::max_element(logits) - logits.begin());
    for (const char* temperature : {"0", "1e-5", "1e-38", "5e-324", "-1"}) {
        Chain chain = chain_of(
            {{"temperature", temperature}, {"top_k", "0"}, {"top_p", "1"}, {"min_p", "0"}},
            vocabulary_of(1000));
        for (int i = 0; i < 20; ++i) EXPECT_EQ(*chain.sample(logits), best);
    }
    OptionValues values(sampling_options());
    EXPECT_FALSE(values.set_text("temperature", "nan").ok());
    ASSERT_OK(values.set_text("temperature", "inf"));
    EXPECT_FALSE(Chain::make(values, vocabulary_of(10)).ok());
    ASSERT_OK(values.set_text("temperature", "-1"));
    EXPECT_EQ(check_request(values).code(), Code::invalid_argument);
    ASSERT_OK(values.set_text("temperature", "0"));
    EXPECT_OK(check_request(values));
}

// Row 18 of the bug log: every "off" value switches off.
TEST(Chain, edge_values_mean_what_the_documentation_says) {
    const std::vector<float> logits = random_logits(500, 5, 1);
    for (const char* off : {"0", "-1"}) {
        std::map<Token, int> seen;
        for (int seed = 0; seed < 20; ++seed)
            ++seen[*chain_of({{"top_k", off}, {"temperature", "5"}, {"seed", std::to_string(seed)},
                              {"top_p", "1"}, {"min_p", "0"}},
                             vocabulary_of(500))
                        .sample(logits)];
        EXPECT_GT(seen.size(), 15u);
    }
    const auto best = Token(std::ranges::max_element(logits) - logits.begin());
    EXPECT_EQ(distribution(only("top_p", {{"top_p", "0"}}), logits).size(), 1u);
    EXPECT_EQ(distribution(only("min_p", {{"min_p", "1"}}), logits).begin()->first, best);
    EXPECT_EQ(distribution(only("top_k", {{"top_k", "1000000"}}), logits).size(), 500u);
    for (const char* window : {"0", "-1"}) {
        Chain chain = chain_of(
            only("penalties", {{"repeat_last_n", window}, {"repeat_penalty", "1.3"}}),
            vocabulary_of(500));
        chain.accept(best);
        const double plain = distribution(only("", {}), logits).at(best);
        const double found = distribution(chain, logits).at(best);
        if (std::string(window) == "0") EXPECT_NEAR(found, plain, 1e-6);
        else EXPECT_LT(found, plain - 1e-4);
    }
}

TEST(Chain, a_mask_refuses_tokens_before_the_draw) {
    struct Mask : TokenMask {
        std::vector<uint64_t> bits;
        std::span<const uint64_t> allowed() override { return bits; }
    } mask;
    const std::vector<float> logits = random_logits(200, 2);
    Chain chain = chain_of({{"seed", "3"}, {"temperature", "2"}}, vocabulary_of(200));
    mask.bits = {0, uint64_t(1) << 3 | uint64_t(1) << 60, 0};  // 67 and 124; the end is missing
    for (int i = 0; i < 30; ++i) {
        const Token token = *chain.sample(logits, &mask);
        EXPECT_TRUE(token == 67 || token == 124) << token;
    }
    mask.bits = {0};
    const Result<Token> none = chain.sample(logits, &mask);
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.status().code(), Code::invalid_argument);
    mask.bits = {};
    EXPECT_OK(chain.sample(logits, &mask));
}

TEST(Chain, tokens_outside_the_vocabulary_are_ignored) {
    Chain chain = chain_of({{"repeat_penalty", "2"}, {"seed", "1"}}, vocabulary_of(4));
    for (const Token token : {-1, 4, INT32_MAX, INT32_MIN}) chain.accept(token);
    EXPECT_OK(chain.sample(std::vector<float>(4)));
}

TEST(Probabilities, the_models_own_are_those_of_a_softmax) {
    const std::vector<float> logits = logs({0.1, 0.4, 0.2, 0.3});
    std::vector<TokenProbability> top;
    EXPECT_NEAR(model_probabilities(logits, 0, 2, top), std::log(0.1), 1e-6);
    ASSERT_EQ(top.size(), 2u);
    EXPECT_EQ(top[0].id, 1);
    EXPECT_NEAR(top[0].log_probability, std::log(0.4), 1e-6);
    EXPECT_EQ(top[1].id, 3);
    EXPECT_EQ(model_probabilities(logits, 9, 0, top), -inf);
    EXPECT_TRUE(top.empty());
    model_probabilities(std::vector<float>{1, nan, 1}, 1, 3, top);
    EXPECT_NEAR(top[0].log_probability, std::log(0.5), 1e-6);
    EXPECT_EQ(top[0].id, 0);  // equals by id
    EXPECT_EQ(top[1].id, 2);
    EXPECT_EQ(top[2].log_probability, -inf);
}

TEST(Probabilities, the_final_ones_are_those_of_the_draw) {
    Chain chain = chain_of(only("top_k", {{"top_k", "2"}}), vocabulary_of(4));
    const std::vector<float> logits = logs({0.1, 0.5, 0.2, 0.2});
    const Token token = *chain.sample(logits);
    std::vector<TokenProbability> top;
    const float chosen = final_probabilities(chain.last(), token, 10, top);
    ASSERT_EQ(top.size(), 2u);
    EXPECT_EQ(top[0].id, 1);
    EXPECT_EQ(top[1].id, 2);  // the lower id of equals
    EXPECT_NEAR(std::exp(top[0].log_probability), 5.0 / 7, 1e-6);
    EXPECT_NEAR(chosen, token == 1 ? top[0].log_probability : top[1].log_probability, 1e-7);
}

TEST(ExactMath, agrees_with_the_c_library) {
    for (double x = -100; x <= 0; x += 0.00317) {
        const double expected = float(x) > -70 ? std::exp(double(float(x))) : 0;
        EXPECT_NEAR(exp_nonpositive(float(x)), expected, 2e-7 * expected);
        EXPECT_NEAR(exact_exp(x), std::exp(x), 1e-15 * (1 - x) * std::exp(x));
    }
    for (double x = 1e-300; x < 1e300; x *= 1.37)
        EXPECT_NEAR(exact_log(x), std::log(x), 1e-15 * std::abs(std::log(x)) + 1e-16);
    EXPECT_EQ(exp_nonpositive(0), 1);
    EXPECT_EQ(exp_nonpositive(-inf), 0);
    EXPECT_EQ(exact_power(0, 0.5), 0);
    EXPECT_NEAR(exact_power(1.75, 10), std::pow(1.75, 10), 1e-11);
}

}  // namespace ingle::sampling
