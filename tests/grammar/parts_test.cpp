// GBNF that calls parts: JSON Schemas, marks that may be tokens, text without a mark.
#include "grammar/grammar.h"
#include "support/fixtures.h"

namespace ingle::grammar {
namespace {

std::shared_ptr<Grammar> compiled(std::string_view gbnf, const std::vector<Part>& parts, const TokenNames& names = {}) {
    auto grammar = Grammar::from_gbnf(gbnf, names, parts);
    EXPECT_OK(grammar);
    return grammar.ok() ? *grammar : nullptr;
}

bool accepts(const std::shared_ptr<Grammar>& grammar, std::string_view text) {
    const auto verdict = check_text(grammar, text);
    return grammar != nullptr && verdict.ok() && verdict->accepted;
}

TEST(GrammarParts, a_rule_calls_json_schemas) {
    const auto grammar = compiled(
        "root ::= one (\",\" one)* | \"[\" number \"]\"\none ::= \"<\" object \">\"",
        {{Part::Kind::json_schema, "object",
          R"({"type": "object", "properties": {"a": {"$ref": "#/$defs/small"}}, "required": ["a"],
              "$defs": {"small": {"type": "integer", "maximum": 9}}})"},
         {Part::Kind::json_schema, "number", R"({"type": "number"})"}});
    EXPECT_TRUE(accepts(grammar, R"(<{"a": 1}>,<{"a": 9}>)"));
    EXPECT_FALSE(accepts(grammar, R"(<{"a": 10}>)"));
    EXPECT_FALSE(accepts(grammar, "<{}>"));
    EXPECT_TRUE(accepts(grammar, "[2.5]"));
    EXPECT_FALSE(accepts(grammar, "[\"x\"]"));
}

TEST(GrammarParts, text_goes_on_up_to_the_first_mark) {
    const auto grammar = compiled("root ::= inner \"</a>\" \"b\"", {{Part::Kind::text_without, "inner", "</a>"}});
    EXPECT_TRUE(accepts(grammar, "</a>b"));
    EXPECT_TRUE(accepts(grammar, "x < </ </a </b> é</a>b"));
    EXPECT_FALSE(accepts(grammar, "x</a>y</a>b"));
    EXPECT_FALSE(accepts(grammar, "\xff</a>b"));
}

TEST(GrammarParts, a_mark_matches_as_text_and_as_the_tokens_in_it) {
    const std::vector<std::string> texts = {"a", "b", "<", "t", ">", "", "x"};
    const auto trie = std::make_shared<const TokenTrie>(texts, std::vector<uint32_t>());
    const TokenNames names = [](std::string_view text) -> std::optional<uint32_t> {
        if (text == "<t>") return 5;
        return std::nullopt;
    };
    const auto grammar = compiled("root ::= \"a\" mark \"b\"", {{Part::Kind::mark, "mark", "<t>x"}}, names);
    Matcher by_token(grammar, trie), by_text(grammar, trie);
    for (const uint32_t token : {0, 5, 6, 1}) EXPECT_OK(by_token.accept(token));
    for (const uint32_t token : {0, 2, 3, 4, 6, 1}) EXPECT_OK(by_text.accept(token));
    EXPECT_TRUE(by_token.must_end() && by_text.must_end());
}

TEST(GrammarParts, a_schema_that_cannot_be_held_to_is_an_error_with_the_name_of_its_part) {
    const auto refused = Grammar::from_gbnf("root ::= object", {}, {{Part::Kind::json_schema, "object", "{"}});
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.status().message().find("object"), std::string::npos);
}

}  // namespace
}  // namespace ingle::grammar
