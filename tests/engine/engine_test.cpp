// The engine's answers are those of a session alone; what cannot be answered ends with its reason.
#include "engine/engine.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/scheduler.h"
#include "support/engine_run.h"

namespace ingle {

namespace {

using test::Collected;
using test::alone;
using test::collect;
using test::request_for;

class EngineTest : public testing::Test {
  protected:
    void SetUp() override {
        model_ = test::stories();
        ASSERT_NE(model_, nullptr);
    }

    std::shared_ptr<Engine> open(EngineOptions options = {}) {
        if (options.context_tokens == 0) options.context_tokens = context;
        auto engine = Engine::open(model_, options);
        EXPECT_OK(engine);
        return engine.ok() ? *engine : nullptr;
    }

    // With so few pages that answers have to give way.
    std::shared_ptr<Engine> open_tight(int64_t pages, int64_t sequences) {
        EngineOptions options;
        options.context_tokens = context;
        options.sequences_max = sequences;
        options.chunk_tokens = 64;
        CacheOptions cache;
        cache.sequence_pages_max = context / 32;
        cache.pages_max = pages;
        cache.unused_pages_max = pages;
        auto engine = Scheduler::make(model_, options, cache);
        EXPECT_OK(engine);
        return engine.ok() ? *engine : nullptr;
    }

    std::vector<Token> prompt(const std::string& text) const { return model_->tokenizer()->encode(text); }
    std::vector<Token> long_prompt(int seed, int64_t count) const {
        std::vector<Token> tokens = {model_->tokenizer()->special().bos};
        for (int64_t i = 1; i < count; ++i) tokens.push_back(Token(3 + (i * 37 + seed * 101) % 500));
        return tokens;
    }
    void expect_solo(const Collected& got, const GenerationRequest& request) const {
        const Generation expected = alone(model_, request, context);
        EXPECT_OK(got.status);
        ASSERT_EQ(got.choices.size(), 1u);
        EXPECT_EQ(got.choices.at(0).tokens, expected.tokens);
        EXPECT_EQ(got.choices.at(0).text, expected.text);
        EXPECT_EQ(got.choices.at(0).finished.reason, expected.reason);
    }

    static constexpr int64_t context = 256;
    std::shared_ptr<const Model> model_;
};

TEST_F(EngineTest, an_answer_is_that_of_a_session) {
    const auto engine = open();
    for (const int64_t seed : {-1, 1, 2}) {
        const auto request = request_for(prompt("Once upon a time"), 40, seed);
        expect_solo(collect(*engine->submit(request)), request);
    }
}

TEST_F(EngineTest, answers_go_on_in_a_context_that_shifts) {
    const auto engine = open({.sequences_max = 2, .context_shift = true});
    auto request = request_for(prompt("Once upon a time"), 600, 5);
    request.ignore_end = true;
    const auto first = engine->submit(request), second = engine->submit(request);
    const Generation expected = alone(model_, request, context, true);
    ASSERT_EQ(expected.tokens.size(), 600u);
    for (const auto& stream : {first, second}) {
        const Collected got = collect(*stream);
        EXPECT_OK(got.status);
        EXPECT_EQ(got.choices.at(0).tokens, expected.tokens);
        EXPECT_EQ(got.choices.at(0).finished.timings.tokens, 600);
    }
    // What was computed after a shift is not found as a prefix of anything.
    const auto plain = request_for(prompt("Once upon a time"), 40);
    expect_solo(collect(*engine->submit(plain)), plain);
}

TEST_F(EngineTest, answers_side_by_side_are_those_of_each_alone) {
    const auto engine = open({.sequences_max = 4, .chunk_tokens = 32});
    std::vector<GenerationRequest> requests;
    std::vector<std::shared_ptr<Stream>> streams;
    for (int i = 0; i < 12; ++i) {
        requests.push_back(request_for(long_prompt(i % 5, 3 + 17 * i), 5 + 7 * (i % 4), i - 1));
        streams.push_back(engine->submit(requests.back()));
    }
    for (size_t i = 0; i < streams.size(); ++i) expect_solo(collect(*streams[i]), requests[i]);
}

TEST_F(EngineTest, a_prompt_that_was_seen_is_not_computed_again) {
    const auto engine = open();
    const auto request = request_for(long_prompt(1, 150), 20);
    const Collected first = collect(*engine->submit(request));
    expect_solo(first, request);
    EXPECT_EQ(first.choices.at(0).finished.timings.cached_tokens, 0);
    const Collected second = collect(*engine->submit(request));
    expect_solo(second, request);
    EXPECT_EQ(second.choices.at(0).finished.timings.cached_tokens, 149);
    auto private_request = request;
    private_request.cache_prompt = false;
    const Collected third = collect(*engine->submit(private_request));
    expect_solo(third, request);
    EXPECT_EQ(third.choices.at(0).finished.timings.cached_tokens, 0);
}

TEST_F(EngineTest, an_edit_in_the_middle_recomputes_the_tail_only) {
    const auto engine = open();
    auto tokens = long_prompt(1, 150);
    collect(*engine->submit(request_for(tokens, 4)));
    tokens[100] = 5;
    const auto request = request_for(tokens, 20);
    const Collected edited = collect(*engine->submit(request));
    expect_solo(edited, request);
    EXPECT_EQ(edited.choices.at(0).finished.timings.cached_tokens, 100);
}

TEST_F(EngineTest, prefixes_are_shared_among_requests_of_a_salt_only) {
    const auto engine = open();
    auto request = request_for(long_prompt(1, 100), 4);
    request.info.salt = "one";
    collect(*engine->submit(request));
    request.info.salt = "two";
    EXPECT_EQ(collect(*engine->submit(request)).choices.at(0).finished.timings.cached_tokens, 0);
    request.info.salt = "one";
    EXPECT_EQ(collect(*engine->submit(request)).choices.at(0).finished.timings.cached_tokens, 99);
}

TEST_F(EngineTest, several_choices_are_those_of_their_seeds) {
    for (const int64_t sequences : {8, 2}) {
        const auto engine = open({.sequences_max = sequences});
        auto request = request_for(long_prompt(2, 70), 25, 40);
        request.choices = 4;
        const Collected all = collect(*engine->submit(request));
        EXPECT_OK(all.status);
        ASSERT_EQ(all.choices.size(), 4u);
        for (const auto& [index, choice] : all.choices) {
            const auto one = request_for(long_prompt(2, 70), 25, 40 + index);
            EXPECT_EQ(choice.tokens, alone(model_, one, context).tokens) << index;
            EXPECT_TRUE(choice.ended);
        }
    }
}

TEST_F(EngineTest, answers_that_had_to_give_way_are_the_same) {
    const auto engine = open_tight(context / 32 + 1, 4);
    std::vector<GenerationRequest> requests;
    std::vector<std::shared_ptr<Stream>> streams;
    for (int i = 0; i < 6; ++i) {
        requests.push_back(request_for(long_prompt(i, 40 + 5 * i), 90, i));
        requests.back().ignore_end = true;
        streams.push_back(engine->submit(requests.back()));
    }
    for (size_t i = 0; i < streams.size(); ++i) expect_solo(collect(*streams[i]), requests[i]);
}

TEST_F(EngineTest, an_answer_may_fill_the_context) {
    const auto engine = open_tight(context / 32, 3);
    auto request = request_for(long_prompt(0, 50), -1, 3);
    request.ignore_end = true;
    const auto other = engine->submit(request_for(long_prompt(3, 100), 30));
    const Collected all = collect(*engine->submit(request));
    expect_solo(all, request);
    EXPECT_EQ(all.choices.at(0).finished.reason, FinishReason::context_full);
    EXPECT_OK(collect(*other).status);
}

TEST_F(EngineTest, stop_texts_end_an_answer_and_are_not_shown) {
    const auto engine = open();
    auto request = request_for(prompt("Once upon a time"), 100);
    request.stops = {" named", "zzz"};
    const Collected all = collect(*engine->submit(request));
    expect_solo(all, request);
    EXPECT_EQ(all.choices.at(0).finished.reason, FinishReason::stop_text);
    EXPECT_EQ(all.choices.at(0).finished.stop, " named");
}

TEST_F(EngineTest, what_cannot_be_answered_says_why) {
    const auto engine = open();
    const auto status_of = [&](const GenerationRequest& request) {
        const Collected all = collect(*engine->submit(request));
        EXPECT_TRUE(all.choices.empty());
        return all.status;
    };
    EXPECT_EQ(status_of(request_for({}, 5)).code(), Code::invalid_argument);
    EXPECT_EQ(status_of(request_for({1, 512}, 5)).code(), Code::invalid_argument);
    EXPECT_EQ(status_of(request_for({1, -1}, 5)).code(), Code::invalid_argument);
    const Status large = status_of(request_for(long_prompt(0, context + 1), 5));
    EXPECT_EQ(large.code(), Code::limit);
    EXPECT_NE(large.message().find("257 tokens"), std::string::npos) << large.message();
    auto none = request_for({1}, 5);
    none.choices = 0;
    EXPECT_EQ(status_of(none).code(), Code::invalid_argument);
    expect_solo(collect(*engine->submit(request_for({1}, 5))), request_for({1}, 5));
}

TEST_F(EngineTest, no_tokens_asked_for_reads_the_prompt_only) {
    const auto engine = open();
    const Collected all = collect(*engine->submit(request_for(long_prompt(0, 40), 0)));
    EXPECT_OK(all.status);
    EXPECT_TRUE(all.choices.at(0).tokens.empty());
    EXPECT_EQ(all.choices.at(0).finished.reason, FinishReason::length);
    EXPECT_EQ(all.progress.back().done, 40);
}

TEST_F(EngineTest, a_full_queue_refuses) {
    const auto engine = open({.sequences_max = 1, .queue_requests_max = 2, .queue_tokens_max = 300});
    auto endless = request_for({1}, -1, 1);
    endless.ignore_end = true;
    const auto running = engine->submit(endless);
    while (engine->running() == 0) std::this_thread::yield();
    const auto first = engine->submit(request_for(long_prompt(0, 200), 1));
    const Collected too_large = collect(*engine->submit(request_for(long_prompt(0, 101), 1)));
    EXPECT_EQ(too_large.status.code(), Code::limit);
    const auto second = engine->submit(request_for({1}, 1));
    const Collected too_many = collect(*engine->submit(request_for({1}, 1)));
    EXPECT_EQ(too_many.status.code(), Code::limit);
    EXPECT_NE(too_many.status.message().find("queue is full"), std::string::npos);
    running->cancel();
    EXPECT_OK(collect(*first).status);
    EXPECT_OK(collect(*second).status);
}

TEST_F(EngineTest, a_request_can_be_cancelled_while_it_waits_and_while_it_runs) {
    const auto engine = open({.sequences_max = 1});
    auto endless = request_for({1}, -1, 1);
    endless.ignore_end = true;
    const auto running = engine->submit(endless);
    const auto waiting = engine->submit(endless);
    waiting->cancel();
    EXPECT_EQ(collect(*waiting).status.code(), Code::cancelled);
    running->cancel();
    EXPECT_EQ(collect(*running).status.code(), Code::cancelled);
    {
        const auto dropped = engine->submit(endless);
    }
    expect_solo(collect(*engine->submit(request_for({1}, 5))), request_for({1}, 5));
    EXPECT_EQ(engine->waiting(), 0);
}

TEST_F(EngineTest, a_deadline_that_passes_in_the_queue_ends_a_request) {
    const auto engine = open({.sequences_max = 1});
    auto endless = request_for({1}, -1, 1);
    endless.ignore_end = true;
    const auto running = engine->submit(endless);
    while (engine->running() == 0) std::this_thread::yield();
    auto late = request_for({1}, 5);
    late.info.deadline = Clock::now();
    const Collected all = collect(*engine->submit(late));
    EXPECT_EQ(all.status.code(), Code::limit);
    EXPECT_NE(all.status.message().find("deadline"), std::string::npos);
}

TEST_F(EngineTest, after_draining_nothing_is_taken_and_what_was_taken_ends) {
    const auto engine = open();
    const auto request = request_for(long_prompt(0, 30), 30);
    const auto before = engine->submit(request);
    engine->drain();
    EXPECT_EQ(collect(*engine->submit(request)).status.code(), Code::limit);
    expect_solo(collect(*before), request);
}

TEST_F(EngineTest, its_end_ends_every_request) {
    auto engine = open({.sequences_max = 1});
    auto endless = request_for({1}, -1, 1);
    endless.ignore_end = true;
    const auto running = engine->submit(endless), waiting = engine->submit(endless);
    engine = nullptr;
    EXPECT_EQ(collect(*running).status.code(), Code::cancelled);
    EXPECT_EQ(collect(*waiting).status.code(), Code::cancelled);
}

TEST_F(EngineTest, probabilities_are_those_of_the_model) {
    const auto engine = open();
    auto request = request_for(prompt("Once upon a time"), 10);
    request.logprobs = 3;
    const Collected all = collect(*engine->submit(request));
    ASSERT_EQ(all.choices.at(0).pieces.size(), 10u);
    for (const TokenPiece& piece : all.choices.at(0).pieces) {
        ASSERT_EQ(piece.likely.size(), 3u);
        // Greedy: what was drawn is the likeliest.
        EXPECT_EQ(piece.likely[0].token, piece.token);
        EXPECT_EQ(piece.likely[0].logprob, piece.logprob);
        EXPECT_GE(piece.likely[0].logprob, piece.likely[1].logprob);
        EXPECT_LE(std::exp(piece.likely[0].logprob) + std::exp(piece.likely[1].logprob), 1.0001);
    }
}

TEST_F(EngineTest, waiting_requests_are_told_their_place) {
    const auto engine = open({.sequences_max = 1});
    auto endless = request_for({1}, -1, 1);
    endless.ignore_end = true;
    const auto running = engine->submit(endless);
    while (engine->running() == 0) std::this_thread::yield();
    const auto first = engine->submit(request_for({1}, 1));
    const auto second = engine->submit(request_for({1}, 1));
    StreamEvent event;
    ASSERT_TRUE(second->wait(event));
    EXPECT_EQ(std::get<PromptProgress>(event).queue_place, 2);
    running->cancel();
    const Collected all = collect(*second);
    EXPECT_OK(all.status);
    EXPECT_EQ(all.progress.back().queue_place, 0);
}

// The last hidden states, as a session gives them.
std::vector<float> states_alone(const std::shared_ptr<const Model>& model,
                                std::span<const Token> tokens) {
    auto session = Session::open(model, {.context_tokens = 256, .outputs_max = 64,
                                         .observe_inputs = true, .without_logits = true});
    EXPECT_OK(session);
    std::vector<float> all;
    EXPECT_OK((*session)->evaluate_from(tokens, 0, [&](int64_t, std::span<const float> rows) {
        all.insert(all.end(), rows.begin(), rows.end());
        return Status();
    }));
    return all;
}

TEST_F(EngineTest, embeddings_are_the_pooled_hidden_states) {
    const auto engine = open({.chunk_tokens = 32});
    const auto tokens = long_prompt(4, 75);
    const std::vector<float> states = states_alone(model_, tokens);
    const size_t columns = states.size() / tokens.size();
    const auto embed = [&](Pooling pooling, bool normalize) {
        EmbeddingRequest request;
        request.input = tokens;
        request.pooling = pooling;
        request.normalize = normalize;
        const auto answer = engine->submit(request_for(long_prompt(1, 90), 20));
        const Collected all = collect(*engine->submit(request));
        EXPECT_OK(all.status);
        EXPECT_OK(collect(*answer).status);
        return all.embedding.values;
    };
    EXPECT_EQ(embed(Pooling::none, false), states);
    EXPECT_EQ(embed(Pooling::cls, false), std::vector<float>(states.begin(), states.begin() + int64_t(columns)));
    EXPECT_EQ(embed(Pooling::last, false), std::vector<float>(states.end() - int64_t(columns), states.end()));
    const auto mean = embed(Pooling::mean, false);
    ASSERT_EQ(mean.size(), columns);
    for (size_t c = 0; c < columns; ++c) {
        double sum = 0;
        for (size_t t = 0; t < tokens.size(); ++t) sum += double(states[t * columns + c]);
        EXPECT_FLOAT_EQ(mean[c], float(sum / double(tokens.size())));
    }
    double squares = 0;
    for (const float x : embed(Pooling::mean, true)) squares += double(x) * double(x);
    EXPECT_NEAR(squares, 1, 1e-5);
}

}  // namespace

}  // namespace ingle
