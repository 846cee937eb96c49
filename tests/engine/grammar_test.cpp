// Generation under a grammar with the tiny model: what comes out matches, and the answer ends by itself.
#include <gtest/gtest.h>

#include "engine/generate.h"
#include "sampling/options.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

class GrammarRun : public testing::Test {
  protected:
    void SetUp() override {
        const auto path = test::source_dir() / "models" / "stories260K.gguf";
        auto model = Model::load(Runtime::make({.threads = 1, .reference = false}),
                                 {.path = path, .progress = {}, .without_tokenizer = false});
        ASSERT_OK(model);
        auto session = Session::open(*model, {});
        ASSERT_OK(session);
        session_ = std::move(*session);
    }

    Result<Generation> run(const std::shared_ptr<grammar::Grammar>& grammar, int64_t seed, int64_t tokens_max) {
        session_->truncate(0);
        const Tokenizer& tokenizer = *session_->model().tokenizer();
        OptionValues values(sampling::sampling_options());
        EXPECT_OK(values.set("temperature", 1.5));
        EXPECT_OK(values.set("seed", seed));
        auto chain = sampling::Chain::make(
            values, {.size = int32_t(session_->model().vocab()), .end_tokens = {}, .append_text = {}});
        EXPECT_OK(chain);
        GrammarMask mask(grammar, token_trie_of(tokenizer));
        GenerateOptions options;
        options.tokens_max = tokens_max;
        options.grammar = &mask;
        const Token bos = tokenizer.special().bos;
        return generate(*session_, {&bos, 1}, *chain, options, [](std::string_view) { return true; });
    }

    std::unique_ptr<Session> session_;
};

TEST_F(GrammarRun, whatever_is_drawn_matches) {
    for (int64_t seed = 1; seed <= 8; ++seed) {
        const auto schema = grammar::Grammar::from_json_schema(
            R"({"type":"object","properties":{"name":{"type":"string","maxLength":8},
                "age":{"type":"integer","minimum":3,"maximum":99}},
                "required":["name","age"],"additionalProperties":false})");
        ASSERT_OK(schema);
        const auto result = run(*schema, seed, 200);
        ASSERT_OK(result);
        EXPECT_EQ(result->reason, FinishReason::end_of_generation) << result->text;
        EXPECT_TRUE(grammar::check_text(*schema, result->text).value().accepted) << result->text;
    }
}

TEST_F(GrammarRun, choices_end_by_themselves) {
    const auto choices = grammar::Grammar::from_choices({"yes", "no"});
    ASSERT_OK(choices);
    const auto result = run(*choices, 1, 50);
    ASSERT_OK(result);
    EXPECT_TRUE(result->text == "yes" || result->text == "no") << result->text;
    EXPECT_EQ(result->reason, FinishReason::end_of_generation);
}

// A grammar that the vocabulary cannot spell is an error, not a free answer.
TEST_F(GrammarRun, nothing_is_let_through) {
    const auto token = grammar::Grammar::from_gbnf("root ::= \"a\" <[99999999]>");
    ASSERT_OK(token);
    const auto result = run(*token, 1, 50);
    EXPECT_FALSE(result.ok());
}

}  // namespace

}  // namespace ingle
