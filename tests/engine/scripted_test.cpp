// What a model may say or do at the worst moment, by script: the request that it concerns ends as it should, and no other.
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "base/utf8.h"
#include "support/engine_run.h"
#include "support/scripted_device.h"

namespace ingle {

namespace {

using test::Collected;
using test::collect;
using test::request_for;
using test::Script;
using test::script_of;
using test::ScriptedStep;

class ScriptedTest : public testing::Test {
  protected:
    void open(Script script, EngineOptions options = {}) {
        model_ = test::scripted_model(std::move(script));
        ASSERT_NE(model_, nullptr);
        if (options.context_tokens == 0) options.context_tokens = 256;
        auto engine = Engine::open(model_, options);
        ASSERT_OK(engine);
        engine_ = std::move(*engine);
    }
    // A tokenizer for making scripts with.
    static const Tokenizer& tokenizer() {
        static const std::shared_ptr<const Model> model = test::stories();
        return *model->tokenizer();
    }
    GenerationRequest ask(const std::string& prompt) const {
        return request_for(tokenizer().encode(prompt), 100);
    }

    std::shared_ptr<const Model> model_;
    std::shared_ptr<Engine> engine_;
};

TEST_F(ScriptedTest, the_script_is_what_is_said) {
    open(script_of(tokenizer(), {{"Once", "upon a time"}, {"Why", "because"}}));
    const auto why = engine_->submit(ask("Why"));
    const Collected once = collect(*engine_->submit(ask("Once")));
    EXPECT_EQ(once.choices.at(0).text, " upon a time");
    EXPECT_EQ(once.choices.at(0).finished.reason, FinishReason::end_of_generation);
    EXPECT_EQ(collect(*why).choices.at(0).text, " because");
}

TEST_F(ScriptedTest, every_piece_is_whole_characters) {
    const std::string answer = "é € 😀 日本";
    open(script_of(tokenizer(), {{"Say", answer}}));
    const Collected all = collect(*engine_->submit(ask("Say")));
    EXPECT_EQ(all.choices.at(0).text, " " + answer);
    EXPECT_GT(all.choices.at(0).pieces.size(), 9u);  // more than it has characters
    for (const TokenPiece& piece : all.choices.at(0).pieces) EXPECT_TRUE(utf8::valid(piece.text));
}

TEST_F(ScriptedTest, a_stop_text_is_found_across_tokens_and_its_beginning_is_not_shown) {
    open(script_of(tokenizer(), {{"Say", "one two ENDING three"}}));
    auto request = ask("Say");
    request.stops = {"ENDING", "NEVER"};
    const Collected all = collect(*engine_->submit(request));
    EXPECT_EQ(all.choices.at(0).text, " one two ");
    EXPECT_EQ(all.choices.at(0).finished.reason, FinishReason::stop_text);
    EXPECT_EQ(all.choices.at(0).finished.stop, "ENDING");
    request.stops = {"threefold"};
    EXPECT_EQ(collect(*engine_->submit(request)).choices.at(0).text, " one two ENDING three");
}

// `odd` is what happens after a text that contains token 300.
Script with_trouble(ScriptedStep odd) {
    return [odd](std::span<const Token> text) {
        ScriptedStep step;
        step.token = Token(260 + text.size() % 20);
        const bool troubled = std::ranges::find(text, 300) != text.end() && text.size() > 40;
        return troubled ? odd : step;
    };
}

std::vector<Token> plain_prompt(Token first) {
    std::vector<Token> tokens(35, first);
    tokens[0] = 1;
    return tokens;
}

TEST_F(ScriptedTest, logits_that_are_not_numbers_fail_their_request_alone) {
    open(with_trouble({.not_a_number = true}));
    const auto good = engine_->submit(request_for(plain_prompt(301), 60));
    const Collected bad = collect(*engine_->submit(request_for(plain_prompt(300), 60)));
    EXPECT_EQ(bad.status.code(), Code::internal);
    EXPECT_NE(bad.status.message().find("not numbers"), std::string::npos);
    EXPECT_EQ(bad.choices.at(0).tokens.size(), 6u);
    const Collected all = collect(*good);
    EXPECT_OK(all.status);
    EXPECT_EQ(all.choices.at(0).tokens.size(), 60u);
}

TEST_F(ScriptedTest, a_step_that_fails_ends_the_request_it_fails_for) {
    open(with_trouble({.fails = true}));
    std::vector<std::shared_ptr<Stream>> good;
    for (Token first = 301; first < 304; ++first)
        good.push_back(engine_->submit(request_for(plain_prompt(first), 60)));
    const Collected bad = collect(*engine_->submit(request_for(plain_prompt(300), 60)));
    EXPECT_EQ(bad.status.code(), Code::io);
    for (const auto& stream : good) {
        const Collected all = collect(*stream);
        EXPECT_OK(all.status);
        ASSERT_EQ(all.choices.at(0).tokens.size(), 60u);
        for (size_t i = 0; i < 60; ++i)
            EXPECT_EQ(all.choices.at(0).tokens[i], Token(260 + (35 + i) % 20));
    }
    EXPECT_EQ(engine_->running(), 0);
}

TEST_F(ScriptedTest, a_cancelled_answer_ends_within_a_step) {
    std::atomic<int> steps = 0;
    open([&](std::span<const Token>) {
        ++steps;
        return ScriptedStep{.token = 300, .delay_seconds = 0.01};
    });
    const auto stream = engine_->submit(request_for(plain_prompt(301), 200));
    StreamEvent event;
    while (steps < 3) ASSERT_TRUE(stream->wait(event));
    stream->cancel();
    const int before = steps;
    EXPECT_EQ(collect(*stream).status.code(), Code::cancelled);
    EXPECT_LE(steps - before, 2);
}

// Every choice of a fork reads its own pages: a script sees the whole text of each.
TEST_F(ScriptedTest, choices_go_their_own_ways_from_shared_pages) {
    open(
        [](std::span<const Token> text) {
            ScriptedStep step{.token = text.size() == 35 ? 270 : text.back()};
            if (text.size() == 35)
                for (Token other = 271; other < 290; ++other) step.others.push_back({other, 10.0f});
            return step;
        },
        {.sequences_max = 3});
    auto request = request_for(plain_prompt(301), 50, 7);
    request.choices = 6;
    const Collected all = collect(*engine_->submit(request));
    EXPECT_OK(all.status);
    std::set<Token> firsts;
    for (const auto& [index, choice] : all.choices) {
        firsts.insert(choice.tokens.at(0));
        EXPECT_EQ(choice.tokens, std::vector<Token>(50, choice.tokens[0])) << index;
    }
    EXPECT_GT(firsts.size(), 1u);
}

// 16 requests with one long beginning: its pages are held once.
TEST_F(ScriptedTest, one_beginning_of_many_requests_is_computed_and_held_once) {
    std::atomic<int64_t> rows = 0;
    open(
        [&](std::span<const Token> text) {
            ++rows;
            return ScriptedStep{.token = text[text.size() - 1]};
        },
        {.context_tokens = 4352, .sequences_max = 16});
    std::vector<std::shared_ptr<Stream>> streams;
    for (Token tail = 300; tail < 316; ++tail) {
        std::vector<Token> prompt(4096, 290);
        prompt[0] = 1;
        prompt.push_back(tail);
        streams.push_back(engine_->submit(request_for(prompt, 20)));
    }
    int64_t cached = 0;
    for (size_t i = 0; i < streams.size(); ++i) {
        const Collected all = collect(*streams[i]);
        EXPECT_EQ(all.choices.at(0).tokens, std::vector<Token>(20, Token(300 + i)));
        cached += all.choices.at(0).finished.timings.cached_tokens;
    }
    EXPECT_EQ(cached, 15 * 4096);
}

}  // namespace

}  // namespace ingle
