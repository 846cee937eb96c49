// DRY: which tokens lose how much, against a search that compares every position with every other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "sampling/breakers.h"
#include "sampling/sampling_support.h"

namespace ingle::sampling {

using namespace test;

namespace {

using Words = std::vector<std::string>;

std::vector<double> penalties_after(const Words& words, const std::vector<Token>& tokens,
                                    Settings settings, int64_t context_tokens = 0) {
    settings.insert(settings.begin(), {"dry_multiplier", "1"});  // a later value replaces it
    Chain chain = chain_of(only("dry", settings), vocabulary_of(words), context_tokens);
    for (const Token token : tokens) chain.accept(token);
    const std::vector<float> logits(words.size(), 0.0f);
    EXPECT_OK(chain.sample(logits));
    std::vector<double> penalties;
    for (size_t i = 0; i < words.size(); ++i)
        penalties.push_back(-double(chain.last().logits()[i]));
    return penalties;
}

// The plain twin: quadratic, straight from the definition.
std::vector<double> plain_penalties(const Words& words, std::vector<Token> tokens,
                                    const Words& breakers, size_t window, size_t allowed) {
    if (tokens.size() > window) tokens.erase(tokens.begin(), tokens.end() - std::ptrdiff_t(window));
    size_t limit = 0;
    for (; limit < tokens.size(); ++limit) {
        std::string before, last = words[size_t(tokens[tokens.size() - 1 - limit])];
        for (size_t i = 0; i + limit + 1 < tokens.size(); ++i) before += words[size_t(tokens[i])];
        const std::string text = before + last;
        const bool breaks = std::ranges::any_of(breakers, [&](const std::string& breaker) {
            size_t at = text.find(breaker);
            for (; at != std::string::npos; at = text.find(breaker, at + 1))
                if (at + breaker.size() > before.size()) return true;
            return false;
        });
        if (breaks) break;
    }
    std::vector<double> penalties(words.size());
    for (size_t end = 0; end + 1 < tokens.size(); ++end) {
        size_t length = 0;
        while (length <= end && length < limit &&
               tokens[end - length] == tokens[tokens.size() - 1 - length])
            ++length;
        if (length < std::max<size_t>(allowed, 1)) continue;
        const Token next = tokens[end + 1];
        if (std::ranges::any_of(breakers, [&](const std::string& breaker) {
                return words[size_t(next)].find(breaker) != std::string::npos;
            }))
            continue;
        double& penalty = penalties[size_t(next)];
        penalty = std::max(penalty, std::pow(1.75, double(length - allowed)));
    }
    return penalties;
}

void expect_equal(const std::vector<double>& found, const std::vector<double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-6 * (1 + expected[i])) << "token " << i;
}

}  // namespace

TEST(Dry, the_token_that_would_prolong_a_repetition_is_penalized) {
    const Words words = {"a", "b", "c", "d", "\n"};
    // "a b c" occurred before d: the end repeats 3 tokens, one more than is allowed
    expect_equal(penalties_after(words, {0, 1, 2, 3, 0, 1, 2}, {}), {0, 0, 0, 1.75, 0});
    expect_equal(penalties_after(words, {0, 1, 2, 3, 0, 1}, {}), {0, 0, 1, 0, 0});
    expect_equal(penalties_after(words, {0, 1, 2, 3, 0}, {}), {0, 0, 0, 0, 0});
    expect_equal(penalties_after(words, {0, 0, 0, 0}, {}), {1.75, 0, 0, 0, 0});
    expect_equal(penalties_after(words, {0, 1, 2, 3, 0, 1, 2},
                                 {{"dry_multiplier", "0.8"}, {"dry_base", "2"},
                                  {"dry_allowed_length", "1"}}),
                 {0, 0, 0, 3.2, 0});
    expect_equal(penalties_after(words, {0, 1, 2, 3, 0, 1, 2}, {{"dry_penalty_last_n", "6"}}),
                 {0, 0, 0, 1, 0});  // the first a is outside
    expect_equal(penalties_after(words, {0, 1, 2, 3, 0, 1, 2}, {{"dry_penalty_last_n", "0"}}),
                 {0, 0, 0, 0, 0});
    expect_equal(penalties_after(words, {0, 1, 2, 3, 0, 1, 2}, {{"dry_penalty_last_n", "-1"}}, 5),
                 {0, 0, 0, 0, 0});
}

TEST(Dry, repetitions_end_at_breakers) {
    const Words words = {"a", "b", "c", "\n", "x\ny"};
    expect_equal(penalties_after(words, {0, 3, 1, 2, 0, 3, 1}, {{"dry_allowed_length", "1"}}),
                 {0, 0, 1, 0, 0});  // only b counts, though the end repeats 3
    expect_equal(penalties_after(words, {0, 1, 4, 0, 1}, {}), {0, 0, 0, 0, 0});  // holds a breaker
    expect_equal(penalties_after(words, {0, 1, 4, 0, 1}, {{"dry_sequence_breakers", "none"}}),
                 {0, 0, 0, 0, 1});
    expect_equal(penalties_after(words, {0, 1, 2, 0, 1}, {{"dry_sequence_breakers", "b"}}),
                 {0, 0, 0, 0, 0});
}

// Row 47 of the bug log: breakers outside ASCII work, also when a character is spread over byte
// tokens.
TEST(Dry, breakers_outside_ascii_work) {
    const Words words = {"a", "b", "—", "\xe2", "\x80", "\x94", "c"};
    const Settings breaker = {{"dry_sequence_breakers", "—"}, {"dry_sequence_breakers", "\n"},
                              {"dry_allowed_length", "1"}};
    expect_equal(penalties_after(words, {2, 0, 1, 6, 2, 0, 1}, breaker), {0, 0, 0, 0, 0, 0, 1.75});
    expect_equal(penalties_after(words, {3, 4, 5, 0, 6, 3, 4, 5, 0}, breaker),
                 {0, 0, 0, 0, 0, 0, 1});
}

TEST(Dry, breakers_that_are_not_utf8_or_empty_or_too_many_are_refused) {
    for (const Words& breakers : {Words{"\xed\xa0\x80"}, Words{"ok", "\xff"}, Words{""},
                                  Words{std::string(300, 'x')}, Words(200, "x")}) {
        const Status status = check_breakers(breakers);
        EXPECT_EQ(status.code(), Code::invalid_argument) << status.message();
        OptionValues values(sampling_options());
        ASSERT_OK(values.set("dry_sequence_breakers", breakers));
        EXPECT_FALSE(Chain::make(values, vocabulary_of(3)).ok());
    }
    EXPECT_OK(check_breakers({"—", "\n", ":", "\"", "*", "none"}));
}

TEST(Dry, random_sequences_agree_with_the_plain_search) {
    const Words words = {"a", "b", "c", "bc", "\xe2\x80", "\x94", "a\n", "\n"};
    const Words breakers = {"cb", "—", "\n"};
    Random random(8);
    for (int trial = 0; trial < 2000 && !HasFailure(); ++trial) {
        std::vector<Token> tokens(random.below(60));
        const auto letters = uint32_t(2 + random.below(7));
        for (Token& token : tokens) token = Token(random.below(letters));
        const size_t window = std::max<size_t>(1, tokens.size()), allowed = random.below(4);
        SCOPED_TRACE(cat("trial ", trial));
        expect_equal(penalties_after(words, tokens,
                                     {{"dry_sequence_breakers", breakers[0]},
                                      {"dry_sequence_breakers", breakers[1]},
                                      {"dry_sequence_breakers", breakers[2]},
                                      {"dry_penalty_last_n", cat(window)},
                                      {"dry_allowed_length", cat(allowed)}}),
                     plain_penalties(words, tokens, breakers, window, allowed));
    }
}

TEST(Dry, a_short_window_sees_its_own_tokens_only) {
    const Words words = {"a", "b", "c", "d"};
    Random random(9);
    for (int trial = 0; trial < 1000 && !HasFailure(); ++trial) {
        std::vector<Token> tokens(random.below(200));
        for (Token& token : tokens) token = Token(random.below(3));
        const size_t window = 1 + random.below(50);
        SCOPED_TRACE(cat("trial ", trial));
        expect_equal(penalties_after(words, tokens, {{"dry_penalty_last_n", cat(window)}}),
                     plain_penalties(words, tokens, {}, window, 2));
    }
}

TEST(Dry, long_repetitions_stay_finite_and_linear) {
    const Words words = {"a", "b"};
    Chain chain = chain_of(only("dry", {{"dry_multiplier", "1"}, {"dry_penalty_last_n", "-1"}}),
                           vocabulary_of(words));
    for (int i = 0; i < 100000; ++i) chain.accept(0);
    const std::vector<float> logits = {0, 0};
    EXPECT_EQ(*chain.sample(logits), 1);
    EXPECT_TRUE(std::isfinite(chain.last().logits()[0]));
}

}  // namespace ingle::sampling
