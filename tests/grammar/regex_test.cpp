// Regular expressions, choices, and what is refused.

#include "grammar/grammar.h"
#include "support/fixtures.h"
#include "support/stopwatch.h"

namespace ingle::grammar {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
    auto grammar = Grammar::from_regex(pattern);
    EXPECT_OK(grammar);
    return grammar.ok() && (*check_text(*grammar, text)).accepted;
}
// Through a schema, where the pattern is searched for.
bool found(std::string_view pattern, std::string_view text) {
    std::string schema = R"({"type":"string","pattern":")";
    for (const char c : pattern) schema += c == '\\' || c == '"' ? std::string{'\\', c} : std::string(1, c);
    auto grammar = Grammar::from_json_schema(schema + "\"}");
    EXPECT_OK(grammar);
    return grammar.ok() && (*check_text(*grammar, cat('"', text, '"'))).accepted;
}

TEST(Regex, Matches) {
    EXPECT_TRUE(matches("a(b|c)*d", "abcbd"));
    EXPECT_FALSE(matches("a(b|c)*d", "abxd"));
    EXPECT_TRUE(matches(R"(^\d{3}-[\w.]+\s?$)", "123-ab_.9 "));
    EXPECT_TRUE(matches(R"([^\d\s]+)", "añb"));
    EXPECT_FALSE(matches(R"([^\d\s]+)", "a1b"));
    EXPECT_TRUE(matches(R"(\u00e9\x41\u{1F600}\p{Lu})", "éA\U0001F600Ω"));
    EXPECT_FALSE(matches(".", "\n"));
    EXPECT_TRUE(matches("(?=.*x)(?!.*y)[a-z]+", "axb"));
    EXPECT_FALSE(matches("(?=.*x)(?!.*y)[a-z]+", "axyb"));
    EXPECT_FALSE(matches("(?=.*x)(?!.*y)[a-z]+", "ab"));
    EXPECT_TRUE(matches("(?:a+){2,3}?", "aaaa"));
}

TEST(Regex, PatternsAreSearchedFor) {
    EXPECT_TRUE(found("b", "abc"));
    EXPECT_FALSE(found("^b", "abc"));
    EXPECT_TRUE(found("c$", "abc"));
    EXPECT_FALSE(found("b$", "abc"));
    EXPECT_TRUE(found("^abc$", "abc"));
    EXPECT_TRUE(found("^$|x", ""));
    EXPECT_FALSE(found("^$|x", "y"));
    EXPECT_TRUE(found("(^|,)b", "a,b"));
    EXPECT_TRUE(found("(^|,)b", "b"));
    EXPECT_FALSE(found("(^|,)b", "ab"));
    EXPECT_TRUE(found("^(?!foo)", "bar"));
    EXPECT_FALSE(found("^(?!foo)", "food"));
    // bug-reports row 23.
    EXPECT_TRUE(found(R"(^\d+$)", "123"));
    EXPECT_FALSE(found(R"(^\d+$)", "12x"));
    EXPECT_TRUE(found(R"(^[\w-]+$)", "a-b"));
    EXPECT_TRUE(found(R"(^a\!$)", "a!"));
}

TEST(Regex, Refusals) {
    for (const char* bad : {"foo**", "(", ")", "[a", "a{3,2}", "*a", "\\", R"(\1)", R"(\b)", "(?<=a)b", "a{200000}",
                            R"(\q)", "(a(?=b))", "x{1,2"})
        EXPECT_FALSE(Grammar::from_regex(bad).ok()) << bad;
    const auto status = Grammar::from_regex("foo**").status();
    EXPECT_EQ(status.message(), "pattern 'foo**', byte 4: nothing to repeat");
    EXPECT_FALSE(Grammar::from_regex("(?!.*)a").ok()) << "matches nothing";
}

// Time and memory are bounded: an answer, or the limit that was reached.
TEST(Regex, Pathological) {
    const std::string text(3000, 'a');
    for (const char* pattern : {"((a{0,100}){0,100}){0,100}b", "(.*a){20}c", "(a|aa|aaa|a*)*b", "(a?){500}a{500}",
                                "(?!(.*a.{300}b))[ab]*c"}) {
        const Stopwatch stopwatch;
        const auto grammar = Grammar::from_regex(pattern);
        ASSERT_OK(grammar);
        const auto verdict = check_text(*grammar, text);
        EXPECT_TRUE(verdict.ok() || verdict.status().code() == Code::limit) << pattern;
        EXPECT_FALSE(verdict.ok() && verdict.value().accepted) << pattern;
        EXPECT_LT(stopwatch.seconds(), 20) << pattern;
    }
}

TEST(Choices, OnlyThese) {
    const auto grammar = Grammar::from_choices({"yes", "no", "yes, but"});
    ASSERT_OK(grammar);
    EXPECT_TRUE((*check_text(*grammar, "yes")).accepted);
    EXPECT_TRUE((*check_text(*grammar, "yes, but")).accepted);
    EXPECT_TRUE((*check_text(*grammar, "yes,")).incomplete);
    EXPECT_FALSE((*check_text(*grammar, "maybe")).accepted);
    EXPECT_FALSE(Grammar::from_choices({}).ok());
}

}  // namespace
}  // namespace ingle::grammar
