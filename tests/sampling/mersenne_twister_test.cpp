// The generator against the standard library's, and the draw against its definition.
#include "sampling/mersenne_twister.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sampling/sampling_support.h"

namespace ingle::sampling {

using namespace test;

namespace {

// Two words make a number, the first the lower.
double uniform_of(std::mt19937& words) {
    const double low = double(words()), high = double(words());
    return (low + high * 4294967296.0) / 18446744073709551616.0;
}

}  // namespace

TEST(MersenneTwister, gives_the_words_of_the_standard) {
    MersenneTwister standard(5489);  // whose 10000th word the standard states
    for (int i = 1; i < 10000; ++i) standard.next();
    EXPECT_EQ(standard.next(), 4123659995u);
    for (const uint32_t seed : {0u, 1u, 42u, 0xffffffffu}) {
        MersenneTwister found(seed);
        std::mt19937 expected(seed);
        for (int i = 0; i < 2000; ++i) ASSERT_EQ(found.next(), uint32_t(expected()));
    }
}

TEST(MersenneTwister, numbers_are_below_one_and_made_of_two_words) {
    MersenneTwister found(7);
    std::mt19937 expected(7);
    for (int i = 0; i < 2000; ++i) {
        const double number = found.uniform();
        EXPECT_EQ(number, uniform_of(expected));
        EXPECT_LT(number, 1);
    }
}

// What makes a seed mean the same as with llama.cpp.
TEST(Chain, a_draw_walks_from_the_likeliest_token_on) {
    const std::vector<double> p = {0.05, 0.4, 0.1, 0.25, 0.2};
    const std::vector<Token> ranked = {1, 3, 4, 2, 0};
    std::vector<float> logits;
    for (const double each : p) logits.push_back(float(std::log(each)));
    for (const char* const seed : {"1", "42", "123456"}) {
        Settings settings = only("", {});
        settings.emplace_back("seed", seed);
        Chain chain = chain_of(settings, vocabulary_of(p.size()));
        std::mt19937 words(uint32_t(std::stoul(seed)));
        for (int i = 0; i < 200; ++i) {
            const double goal = uniform_of(words);
            double sum = 0;
            Token expected = ranked.back();
            for (const Token token : ranked) {
                sum += p[size_t(token)];
                if (sum <= goal) continue;
                expected = token;
                break;
            }
            EXPECT_EQ(*chain.sample(logits), expected);
        }
    }
}

}  // namespace ingle::sampling
