// GBNF: what parses, what is refused and how, and what the grammars match.
#include "grammar/gbnf/parse.h"

#include "grammar/grammar.h"
#include "support/fixtures.h"

namespace ingle::grammar {
namespace {

Verdict verdict(std::string_view grammar, std::string_view text) {
    auto compiled = Grammar::from_gbnf(grammar);
    EXPECT_OK(compiled);
    if (!compiled.ok()) return {};
    auto result = check_text(*compiled, text);
    EXPECT_OK(result);
    return result.ok() ? *result : Verdict{};
}
bool accepts(std::string_view grammar, std::string_view text) { return verdict(grammar, text).accepted; }
std::string refusal(std::string_view grammar) {
    const auto compiled = Grammar::from_gbnf(grammar);
    EXPECT_FALSE(compiled.ok()) << grammar;
    return compiled.ok() ? "" : compiled.status().message();
}

TEST(Gbnf, FixturesParseOrAreRefused) {
    const auto folder = test::fixtures() / "grammars";
    INGLE_NEEDS(folder);
    int parsed = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".gbnf") continue;
        const auto grammar = Grammar::from_gbnf(test::bytes_of(entry.path()));
        const std::string stem = entry.path().stem().string();
        if (stem.starts_with("invalid_")) {
            EXPECT_FALSE(grammar.ok()) << stem;
            continue;
        }
        EXPECT_TRUE(grammar.ok()) << stem << ": " << test::why(grammar);
        ++parsed;
    }
    EXPECT_EQ(parsed, 11);
}

TEST(Gbnf, FixturesMatch) {
    const auto folder = test::fixtures() / "grammars";
    INGLE_NEEDS(folder);
    struct Case {
        const char* grammar;
        const char* text;
        bool accepted;
    };
    const Case cases[] = {
        {"json", R"({"a": [1, -2.5e3, "x\n\u00e9"], "b": {"c": null}})", true},
        {"json", R"({"a": [1, }})", false},
        {"json_arr", "[\n1,\n{\"a\":true}]", true},
        {"arithmetic", "1+2*(a-3)=7\n", true},
        {"arithmetic", "1+=7\n", false},
        {"chess", "1. e4 e5\n2. Nf3 Nc6\n", true},
        {"chess", "1. e9 e5\n", false},
        {"japanese", "こんにちは 世界", true},
        {"japanese", "hello", false},
        {"english", "Hello, world!", true},
        {"list", "- one\n- two\n", true},
        {"list", "- one\u2028\n", false},
        {"c", "int f(int x){return x+1;}", true},
        {"vllm-sql", "SELECTcol_1fromtable_2wherecol_2=1", true},
        {"vllm-sql", "SELECTcol_3", false},
    };
    for (const Case& c : cases)
        EXPECT_EQ(accepts(test::bytes_of(folder / (std::string(c.grammar) + ".gbnf")), c.text), c.accepted)
            << c.grammar << ": " << c.text;
}

TEST(Gbnf, Elements) {
    EXPECT_TRUE(accepts(R"(root ::= "a\x41\u00e9\U0001F600\"\\" # comment)", "aA\u00e9\U0001F600\"\\"));
    EXPECT_TRUE(accepts("root ::= [^a-c] [a-c]{2,3} x?\nx ::= \"!\"", "zab!"));
    EXPECT_FALSE(accepts("root ::= [a-c]{2,3}", "a"));
    EXPECT_FALSE(accepts("root ::= [a-c]{2,3}", "aaaa"));
    EXPECT_TRUE(accepts("root ::= [a-c]{,2}", ""));
    EXPECT_TRUE(accepts("root ::= [a-c]{2,}", "aaaaaaaa"));
    EXPECT_TRUE(accepts("root ::= . .", "é\n"));
    EXPECT_TRUE(accepts("root ::= (\"a\"\n  | \"b\" )\n  | \"c\"\n", "c"));
    EXPECT_TRUE(accepts("root ::=\n  \"a\" |\n  \"b\"", "b"));
    EXPECT_TRUE(accepts("root ::= \"(\" root \")\" | \"\"", "((()))"));
    EXPECT_EQ(verdict("root ::= \"abc\"", "abx").offset, 2u);
    EXPECT_TRUE(verdict("root ::= \"abc\"", "ab").incomplete);
}

TEST(Gbnf, Refusals) {
    EXPECT_EQ(refusal("root ::= ("), "grammar, line 1, column 11: expected ')', found the end");
    EXPECT_NE(refusal("root ::= \"a\n").find("expected '\"'"), std::string::npos);
    EXPECT_NE(refusal("root ::= x").find("'x' is used but not defined"), std::string::npos);
    EXPECT_NE(refusal("other ::= \"x\"").find("no rule 'root'"), std::string::npos);
    EXPECT_NE(refusal("root ::= root \"a\" | \"b\"").find("left recursion"), std::string::npos);
    EXPECT_NE(refusal("root ::= a\na ::= \"\" b\nb ::= a \"x\" | \"y\"").find("left recursion"), std::string::npos);
    EXPECT_NE(refusal("root ::= \"a\" root").find("no text can complete"), std::string::npos);
    EXPECT_NE(refusal("root ::= [z-a]").find("range"), std::string::npos);
    EXPECT_NE(refusal("root ::= \"a\"{3,2}").find("count"), std::string::npos);
    EXPECT_NE(refusal("root ::= <abc>").find("vocabulary"), std::string::npos);
    EXPECT_NE(refusal("root = \"a\"").find("::="), std::string::npos);
}

// bug-reports row 22: bounded in depth, time and states.
TEST(Gbnf, Pathological) {
    EXPECT_TRUE(accepts("root ::= (\"a\"*)*", "aaaa"));
    EXPECT_NE(refusal("root ::= " + std::string(60000, '(')).find("nested deeper"), std::string::npos);
    std::string chain = "root ::= r0\n";
    for (int i = 0; i < 5000; ++i) chain += cat("r", i, " ::= r", i + 1, "\n");
    EXPECT_TRUE(accepts(chain + "r5000 ::= \"x\"", "x"));
    std::string deep(50000, '(');
    EXPECT_TRUE(verdict("root ::= \"(\" root \")\" | \"x\"", deep).incomplete);
    // Many ways to match at once: an answer or a stated limit.
    const auto ambiguous = Grammar::from_gbnf("root ::= \"a\" root root | \"a\"");
    ASSERT_OK(ambiguous);
    const auto result = check_text(*ambiguous, std::string(3001, 'a'));
    EXPECT_TRUE(result.ok() || result.status().code() == Code::limit);
    EXPECT_TRUE(verdict("root ::= [a-z]{1000000}", "abc").incomplete);
}

}  // namespace
}  // namespace ingle::grammar
