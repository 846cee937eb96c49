// Layers with a sliding window keep only their window, and no answer changes by a bit for it.
#include <gtest/gtest.h>

#include <unistd.h>

#include "engine/plan.h"
#include "support/engine_run.h"

namespace ingle {

namespace {

constexpr int64_t context = 256;  // the fixture was trained on, whose window is 8 tokens
constexpr int64_t longer = 1024;  // with many more pages than it keeps windows of

std::vector<Token> some_tokens(int64_t count, int64_t seed = 0) {
    std::vector<Token> tokens;
    for (int64_t i = 0; i < count; ++i) tokens.push_back(Token(3 + (i * 37 + i / 7 + seed * 101) % 200));
    return tokens;
}

class WindowTest : public testing::Test {
  protected:
    void SetUp() override {
        INGLE_NEEDS(path());
        auto model = Model::load(Runtime::make({.threads = 2}), {.path = path(), .progress = {}});
        ASSERT_OK(model);
        model_ = std::move(*model);
    }
    static std::filesystem::path path() {
        return test::fixtures() / "arch" / "gemma3_text" / "model.gguf";
    }

    std::unique_ptr<Session> open(const SessionOptions& options) const {
        auto session = Session::open(model_, options);
        EXPECT_OK(session);
        return std::move(*session);
    }
    static std::vector<float> fed(Session& session, std::span<const Token> tokens, size_t part = 512) {
        for (size_t at = 0; at < tokens.size(); at += part)
            EXPECT_OK(session.feed(tokens.subspan(at, std::min(part, tokens.size() - at))));
        return {session.logits().begin(), session.logits().end()};
    }
    std::shared_ptr<Engine> open_engine(int64_t sequences) const {
        auto engine = Engine::open(model_, {.context_tokens = longer, .sequences_max = sequences,
                                            .chunk_tokens = 64});
        EXPECT_OK(engine);
        return *engine;
    }
    void expect_solo(const test::Collected& got, const GenerationRequest& request) const {
        EXPECT_OK(got.status);
        EXPECT_EQ(got.choices.at(0).tokens, test::alone(model_, request, context).tokens);
    }

    std::shared_ptr<const Model> model_;
};

TEST_F(WindowTest, dropping_what_left_the_window_changes_no_bit) {
    const auto tokens = some_tokens(500);
    for (const KvType type : {KvType::f16, KvType::q8_0, KvType::q4_0})
        for (const int64_t chunk : {7, 100}) {
            SessionOptions options{.context_tokens = longer, .chunk_tokens = chunk};
            options.outputs_max = chunk;
            options.key_type = options.value_type = type;
            const auto dropping = open(options);
            options.full_windows = true;
            const auto full = open(options);
            std::vector<float> seen;
            const auto take = [&](int64_t, std::span<const float> logits) {
                seen.insert(seen.end(), logits.begin(), logits.end());
                return Status();
            };
            ASSERT_OK(full->evaluate(tokens, take));
            const auto expected = std::exchange(seen, {});
            ASSERT_OK(dropping->evaluate(tokens, take));
            EXPECT_TRUE(seen == expected) << info(type).name << " in chunks of " << chunk;
            // Of so tiny a model a page of memory holds more than a page of the cache, and a long step many.
            if (chunk == 7) {
                EXPECT_LT(dropping->memory().kv, full->memory().kv);
            }
        }
}

TEST_F(WindowTest, what_was_dropped_is_computed_again_for_who_goes_back_further) {
    const auto tokens = some_tokens(240), others = some_tokens(200, 1);
    for (const KvType type : {KvType::f16, KvType::q4_0})
        for (const int64_t back : {0, 1, 31, 40, 100, 150, 190, 215, 220, 239}) {
            SessionOptions options{.context_tokens = context};
            options.key_type = options.value_type = type;
            const auto straight = open(options), turning = open(options);
            fed(*turning, tokens);
            turning->truncate(back);
            EXPECT_EQ(turning->length(), back);
            if (back > 0) fed(*straight, std::span(tokens).first(size_t(back)));
            EXPECT_TRUE(fed(*turning, std::span(others).first(16)) ==
                        fed(*straight, std::span(others).first(16)))
                << info(type).name << ", back to " << back;
        }
}

TEST_F(WindowTest, shifts_are_the_same_with_and_without_what_left_the_window) {
    for (const int64_t drop : {0, 32, 64}) {
        SessionOptions options{.context_tokens = 160, .chunk_tokens = 48};
        options.context_shift = true;
        options.shift.drop_tokens = drop;
        const auto dropping = open(options);
        options.full_windows = true;
        const auto full = open(options);
        for (const int64_t seed : {1, 2, 3, 4}) {
            const auto tokens = some_tokens(150, seed);
            EXPECT_TRUE(fed(*dropping, tokens) == fed(*full, tokens)) << drop << ", round " << seed;
        }
        EXPECT_GT(dropping->length(), 500);
    }
}

// All but the first page goes, and what left the window long ago would be near again.
TEST_F(WindowTest, a_shift_brings_nothing_back_into_a_window) {
    std::vector<float> expected;
    for (const size_t part : {size_t(1), size_t(30), size_t(128)}) {
        SessionOptions options{.context_tokens = 128};
        options.context_shift = true;
        options.shift.drop_tokens = 96;
        const auto session = open(options);
        std::vector<float> logits;
        for (const int64_t seed : {1, 2, 3}) logits = fed(*session, some_tokens(120, seed), part);
        if (expected.empty()) expected = logits;
        EXPECT_TRUE(logits == expected) << part << " at a time";
        session->truncate(session->length() - 20);
        EXPECT_OK(session->feed(some_tokens(20)));
    }
}

TEST_F(WindowTest, the_plan_counts_it_and_no_more_is_taken) {
    auto outline = Model::load(Runtime::make({.threads = 2}),
                               {.path = path(), .progress = {}, .outline = true});
    ASSERT_OK(outline);
    SessionOptions options{.context_tokens = longer, .chunk_tokens = 32};
    const auto plan = make_plan(**outline, options, 0);
    ASSERT_OK(plan);
    EXPECT_EQ(plan->window_tokens, 8);
    options.full_windows = true;
    const auto full = make_plan(**outline, options, 0);
    ASSERT_OK(full);
    EXPECT_EQ(full->window_tokens, 0);
    EXPECT_LT(plan->kv, full->kv);
    options.full_windows = false;
    const auto session = open(options);
    fed(*session, some_tokens(longer));
    EXPECT_EQ(plan->kv + plan->exact, session->memory().kv);
    // Of the seven layers, six have a window of 8 tokens: 64 more, two pages, and those of a step.
    const int64_t windows = (8 + 64 + 31) / 32 + 2 + 1;
    for (const PlannedLayer& layer : plan->layers) {
        if (layer.index == none) continue;
        const uint64_t page = layout_of((*outline)->graph(), options).page_bytes(size_t(layer.index));
        EXPECT_EQ(layer.kv, page * uint64_t(layer.index == 5 ? longer / 32 : windows)) << layer.index;
    }
}

TEST_F(WindowTest, the_engine_holds_no_more_windows_than_planned_and_answers_alike) {
    const auto engine = open_engine(2);
    const int64_t most = engine->metrics().windows_max;
    EXPECT_GT(most, 0);
    EXPECT_LT(most, engine->metrics().pages_max);
    for (int64_t seed = 0; seed < 6; ++seed) {
        const auto request = test::request_for(some_tokens(200, seed), 40);
        const auto other = test::request_for(some_tokens(150, seed + 10), 60);
        const auto first = engine->submit(request), second = engine->submit(other);
        expect_solo(test::collect(*first), request);
        expect_solo(test::collect(*second), other);
        EXPECT_LE(engine->metrics().windows_used, most);
    }
    EXPECT_GT(engine->metrics().prefix.unused, engine->metrics().windows_used);
}

TEST_F(WindowTest, a_conversation_goes_on_from_its_prompt_and_from_its_answer) {
    const auto engine = open_engine(2);
    auto request = test::request_for(some_tokens(120), 30);
    request.ignore_end = true;
    const auto first = test::collect(*engine->submit(request));
    expect_solo(first, request);
    auto next = request;
    next.prompt.insert(next.prompt.end(), first.choices.at(0).tokens.begin(),
                       first.choices.at(0).tokens.end());
    next.prompt.push_back(7);
    const auto second = test::collect(*engine->submit(next));
    expect_solo(second, next);
    EXPECT_EQ(second.choices.at(0).finished.timings.cached_tokens, 149);
    // Another answer to the same prompt, and another question behind it.
    auto other = request;
    other.prompt.insert(other.prompt.end(), {9, 9, 9});
    const auto third = test::collect(*engine->submit(other));
    expect_solo(third, other);
    EXPECT_GE(third.choices.at(0).finished.timings.cached_tokens, 96);
}

TEST_F(WindowTest, a_common_beginning_is_kept_once_texts_were_seen_to_part_there) {
    const auto engine = open_engine(1);
    std::vector<int64_t> found;
    for (const int64_t seed : {1, 2, 3, 4}) {
        auto request = test::request_for(some_tokens(128), 5);
        const auto question = some_tokens(100, seed);
        request.prompt.insert(request.prompt.end(), question.begin(), question.end());
        const auto got = test::collect(*engine->submit(request));
        expect_solo(got, request);
        found.push_back(got.choices.at(0).finished.timings.cached_tokens);
    }
    EXPECT_EQ(found[0], 0);
    EXPECT_EQ(found[1], 0);
    EXPECT_GE(found[2], 128);
    EXPECT_GE(found[3], 128);
}

TEST_F(WindowTest, a_saved_sequence_has_its_window_and_goes_on_the_same) {
    const auto file = std::filesystem::temp_directory_path() / cat("ingle-window-", ::getpid());
    const auto saved = open({.context_tokens = longer}), restored = open({.context_tokens = longer});
    const auto full = open({.context_tokens = longer, .full_windows = true});
    fed(*saved, some_tokens(600));
    fed(*full, some_tokens(600));
    ASSERT_OK(full->save(file));
    const auto full_bytes = std::filesystem::file_size(file);
    EXPECT_EQ(restored->restore(file).code(), Code::invalid_argument);
    ASSERT_OK(saved->save(file));
    EXPECT_LT(std::filesystem::file_size(file), full_bytes);
    ASSERT_OK(restored->restore(file));
    const auto more = some_tokens(40, 3);
    EXPECT_TRUE(fed(*restored, more) == fed(*saved, more));
    restored->truncate(50);
    saved->truncate(50);
    EXPECT_TRUE(fed(*restored, more) == fed(*saved, more));

    const auto engine = open_engine(3);
    auto request = test::request_for(some_tokens(150), 20);
    request.info.slot = 1;
    expect_solo(test::collect(*engine->submit(request)), request);
    ASSERT_OK(engine->save(1, file));
    const auto other = open_engine(3);
    ASSERT_OK(other->restore(0, file));
    const auto got = test::collect(*other->submit(request));
    expect_solo(got, request);
    EXPECT_GE(got.choices.at(0).finished.timings.cached_tokens, 128);
    std::filesystem::remove(file);
}

}  // namespace

}  // namespace ingle
