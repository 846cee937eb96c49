#include "base/pattern.h"

#include <gtest/gtest.h>

#include <regex>

#include "base/random.h"
#include "support/fixtures.h"
#include "support/stopwatch.h"

namespace ingle {

namespace {

bool found(std::string_view pattern, std::string_view text) {
    const auto compiled = Pattern::compile(pattern);
    EXPECT_OK(compiled);
    return compiled.ok() && compiled->found_in(text);
}

}  // namespace

TEST(Pattern, finds_what_people_write_for_tensors) {
    EXPECT_TRUE(found("attn_q", "blk.0.attn_q.weight"));
    EXPECT_FALSE(found("^attn_q", "blk.0.attn_q.weight"));
    EXPECT_TRUE(
        found("blk\\.(0|1|2)\\.ffn_(up|gate)_exps\\.weight$", "blk.2.ffn_gate_exps.weight"));
    EXPECT_FALSE(
        found("blk\\.(0|1|2)\\.ffn_(up|gate)_exps\\.weight$", "blk.3.ffn_gate_exps.weight"));
    EXPECT_TRUE(found("blk\\.([1-3]?[0-9])\\.", "blk.27.attn_v.weight"));
    EXPECT_FALSE(found("blk\\.([1-3]?[0-9])\\.", "blk.40.attn_v.weight"));
    EXPECT_TRUE(found("blk\\.\\d{1,2}\\.", "blk.40.attn_v.weight"));
    EXPECT_FALSE(found("blk\\.\\d{1,2}\\.", "blk.400.attn_v.weight"));
    EXPECT_TRUE(found(".*", ""));
    EXPECT_TRUE(found("", "anything"));
}

TEST(Pattern, agrees_with_the_standard_library_on_random_patterns) {
    // Patterns of random pieces over a small alphabet; std::regex is slow and recursive, but right.
    const char* const pieces[] = {
        "a",  "b",     "c", ".", "[ab]", "[^a]",     "(a|bc)",     "(?:ab|)",    "a*",   "b+",
        "c?", "(ab)*", "^", "$", "\\.",  "[a-c]{2}", "(a|b){1,3}", "(b{0,2}c)+", "a{2,}"};
    Random random(5);
    int agreed = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string pattern;
        for (uint64_t i = random.below(4) + 1; i > 0; --i) pattern += pieces[random.below(19)];
        if (random.below(3) == 0) pattern += cat("|", pieces[random.below(19)]);
        const std::regex expected(pattern);
        const auto compiled = Pattern::compile(pattern);
        ASSERT_OK(compiled);
        for (int i = 0; i < 20; ++i) {
            std::string text;
            for (uint64_t length = random.below(8); length > 0; --length)
                text += "abc."[random.below(4)];
            ASSERT_EQ(compiled->found_in(text), std::regex_search(text, expected))
                << pattern << " in " << text;
            ++agreed;
        }
    }
    EXPECT_EQ(agreed, 60000);
}

TEST(Pattern, what_it_does_not_know_is_refused_with_its_position) {
    for (const char* const wrong :
         {"(", ")", "a(b", "[a", "[z-a]", "*a", "a**", "a{2", "a{3,2}", "a{999}", "\\", "\\q",
          "(?=a)", "(a)\\1", "+", "a|*", "[\\d-z]"}) {
        const auto pattern = Pattern::compile(wrong);
        ASSERT_FALSE(pattern.ok()) << wrong;
        EXPECT_NE(pattern.status().message().find("position"), std::string::npos)
            << pattern.status().message();
    }
    const std::string deep(100, '(');
    EXPECT_FALSE(Pattern::compile(deep + std::string(100, ')')).ok());
}

TEST(Pattern, huge_repetitions_are_refused_at_once) {
    for (const char* const huge :
         {"((((a{255}){255}){255}){255}){255}", "((((((){255}){255}){255}){255}){255}){255}"}) {
        const auto pattern = Pattern::compile(huge);
        ASSERT_FALSE(pattern.ok());
        EXPECT_EQ(pattern.status().code(), Code::limit);
    }
}

TEST(Pattern, takes_time_linear_in_the_text) {
    const auto pattern = Pattern::compile("(a|a)*(a|aa)+b");  // exponential for backtracking
    ASSERT_OK(pattern);
    const Stopwatch stopwatch;
    EXPECT_FALSE(pattern->found_in(std::string(200000, 'a')));
    EXPECT_LT(stopwatch.seconds(), 5);
}

}  // namespace ingle
