// Reasoning that is ended from outside: by its budget, or on request.
#include "engine/reasoning_limit.h"

#include <gtest/gtest.h>

#include "support/engine_run.h"

namespace ingle {

namespace {

using test::Collected;
using test::collect;

constexpr Token end_one = 901, end_two = 902;

ReasoningOptions with_budget(int64_t budget, bool begins_open = false) {
    return {.open = "<think>", .close = "</think>", .begins_open = begins_open, .budget = budget,
            .end_tokens = {end_one, end_two}};
}

}  // namespace

TEST(ReasoningLimit, after_the_budget_the_end_is_written) {
    ReasoningLimit limit(with_budget(2));
    for (const char* const text : {"Hi", "<th", "ink>"}) {
        EXPECT_FALSE(limit.forced());
        limit.took(text);
    }
    EXPECT_TRUE(limit.open());
    EXPECT_FALSE(limit.forced());
    limit.took("so");
    EXPECT_FALSE(limit.forced());
    limit.took("");  // half a character is a token, too
    EXPECT_EQ(limit.forced(), end_one);
    limit.took("\n</think");
    EXPECT_EQ(limit.forced(), end_two);
    limit.took(">\n\n");
    EXPECT_FALSE(limit.open());
    for (int i = 0; i < 10; ++i) {
        EXPECT_FALSE(limit.forced());
        limit.took("answer");
    }
}

TEST(ReasoningLimit, none_is_spent_on_what_is_no_reasoning) {
    ReasoningLimit limit(with_budget(1));
    for (int i = 0; i < 10; ++i) {
        limit.took("text <think");
        EXPECT_FALSE(limit.forced());
    }
    ReasoningLimit closed(with_budget(5, true));
    closed.took("a");
    closed.took("</think>");
    closed.took("b");
    EXPECT_FALSE(closed.open());
    for (int i = 0; i < 10; ++i) closed.took("b");
    EXPECT_FALSE(closed.forced());
}

TEST(ReasoningLimit, zero_ends_it_before_it_begins) {
    ReasoningLimit limit(with_budget(0, true));
    EXPECT_EQ(limit.forced(), end_one);
}

TEST(ReasoningLimit, it_ends_when_asked_and_only_if_it_is_open) {
    ReasoningLimit limit(with_budget(-1));
    limit.stop();
    EXPECT_FALSE(limit.forced());
    limit.took("<think>");
    EXPECT_FALSE(limit.forced());
    limit.stop();
    EXPECT_EQ(limit.forced(), end_one);
    EXPECT_EQ(limit.forced(), end_two);
    EXPECT_FALSE(limit.forced());
}

TEST(ReasoningLimit, without_marks_nothing_is_forced) {
    ReasoningLimit limit(ReasoningOptions{});
    limit.took("<think>");
    limit.stop();
    EXPECT_FALSE(limit.forced());
}

TEST(ReasoningLimit, an_answer_of_the_engine_keeps_its_budget_and_goes_on) {
    const auto model = test::stories();
    ASSERT_NE(model, nullptr);
    EngineOptions options;
    options.context_tokens = 256;
    auto engine = Engine::open(model, options);
    ASSERT_OK(engine);
    GenerationRequest request = test::request_for(model->tokenizer()->encode("Once upon a time"), 40);
    request.ignore_end = true;
    request.reasoning = {.open = "<think>", .close = "</think>", .begins_open = true, .budget = 7,
                         .end_tokens = model->tokenizer()->encode("</think>", {.add_special = false})};
    const Collected got = collect(*(*engine)->submit(request));
    ASSERT_OK(got.status);
    const std::vector<Token>& tokens = got.choices.at(0).tokens;
    ASSERT_EQ(tokens.size(), 40u);
    const auto& end = request.reasoning.end_tokens;
    EXPECT_TRUE(std::equal(end.begin(), end.end(), tokens.begin() + 7));
    request.reasoning.budget = -1;
    const Collected free = collect(*(*engine)->submit(request));
    EXPECT_TRUE(std::equal(tokens.begin(), tokens.begin() + 7, free.choices.at(0).tokens.begin()));
    EXPECT_EQ(free.choices.at(0).text.find("</think>"), std::string::npos);
}

}  // namespace ingle
