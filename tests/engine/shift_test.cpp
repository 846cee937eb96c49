// Sessions that go back, and sessions that forget their oldest tokens when the context is full.
#include <gtest/gtest.h>

#include "engine/plan.h"
#include "engine/session.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

using Pages = std::vector<int64_t>;

TEST(PagesToDrop, half_of_what_may_go_goes_the_oldest_first) {
    const auto pages = pages_to_drop(9, 32, {}, {});
    ASSERT_OK(pages);
    EXPECT_EQ(*pages, (Pages{1, 2, 3, 4}));
}

TEST(PagesToDrop, kept_tokens_stay_with_their_whole_page) {
    const auto pages = pages_to_drop(8, 32, {.keep_tokens = 65, .drop_tokens = 40}, {});
    ASSERT_OK(pages);
    EXPECT_EQ(*pages, (Pages{3, 4}));
}

TEST(PagesToDrop, a_page_that_holds_a_pinned_token_never_goes) {
    const TokenRange pinned[] = {{63, 65}, {160, 161}};
    const auto pages = pages_to_drop(8, 32, {.drop_tokens = 96}, pinned);
    ASSERT_OK(pages);
    EXPECT_EQ(*pages, (Pages{3, 4, 6}));
}

TEST(PagesToDrop, says_so_if_nothing_may_go) {
    const auto pages = pages_to_drop(4, 32, {.keep_tokens = 128}, {});
    ASSERT_FALSE(pages.ok());
    EXPECT_EQ(pages.status().code(), Code::limit);
}

std::shared_ptr<const Model> stories() {
    auto model = Model::load(Runtime::make({.threads = 2}),
                             {.path = test::source_dir() / "models" / "stories260K.gguf",
                              .progress = {}, .without_tokenizer = true});
    EXPECT_OK(model);
    return *model;
}

std::vector<Token> some_tokens(int count) {
    std::vector<Token> tokens;
    for (int i = 0; i < count; ++i) tokens.push_back(Token((i * 37 + i / 7 + 11) % 500));
    return tokens;
}

std::unique_ptr<Session> open(const std::shared_ptr<const Model>& model,
                              const SessionOptions& options) {
    auto session = Session::open(model, options);
    EXPECT_OK(session);
    return std::move(*session);
}

std::vector<float> fed(Session& session, std::span<const Token> tokens, size_t part) {
    for (size_t at = 0; at < tokens.size(); at += part)
        EXPECT_OK(session.feed(tokens.subspan(at, std::min(part, tokens.size() - at))));
    return {session.logits().begin(), session.logits().end()};
}

TEST(Session, going_back_anywhere_is_as_if_it_had_not_gone_on) {
    const auto model = stories();
    const std::vector<Token> tokens = some_tokens(150);
    for (const KvTypeInfo& type : all_kv_types()) {
        const SessionOptions options{.context_tokens = 256, .key_type = type.type,
                                     .value_type = type.type};
        const auto straight = open(model, options);
        const auto expected = fed(*straight, tokens, 150);
        for (const int64_t back : {0, 5, 32, 40, 64, 100, 128, 149}) {
            const auto session = open(model, options);
            fed(*session, some_tokens(149), 149);
            session->truncate(back);
            EXPECT_EQ(session->length(), back);
            EXPECT_TRUE(fed(*session, std::span(tokens).subspan(size_t(back)), 150) == expected)
                << type.name << ", back to " << back;
        }
    }
}

TEST(Session, shifts_alike_however_its_tokens_come) {
    const auto model = stories();
    const std::vector<Token> tokens = some_tokens(120);
    for (const KvTypeInfo& type : all_kv_types()) {
        SessionOptions options{.context_tokens = 128, .key_type = type.type, .value_type = type.type};
        options.context_shift = true;
        std::vector<float> expected;
        for (const size_t part : {size_t(1), size_t(33), size_t(120)}) {
            const auto session = open(model, options);
            std::vector<float> logits;
            for (int round = 0; round < 3; ++round) logits = fed(*session, tokens, part);
            EXPECT_EQ(session->length(), 360);
            EXPECT_LE(session->held(), 128);
            if (expected.empty()) expected = logits;
            EXPECT_TRUE(logits == expected) << type.name << ", " << part << " at a time";
        }
    }
}

TEST(Session, goes_back_to_what_it_still_holds_after_a_shift) {
    const auto model = stories();
    SessionOptions options{.context_tokens = 128};
    options.context_shift = true;
    const std::vector<Token> tokens = some_tokens(120);
    const auto straight = open(model, options), turning = open(model, options);
    fed(*straight, tokens, 120);
    fed(*turning, tokens, 120);
    const auto expected = fed(*straight, tokens, 30);
    fed(*turning, std::span(tokens).first(60), 60);
    turning->truncate(170);
    EXPECT_EQ(turning->length(), 170);
    fed(*turning, std::span(tokens).subspan(50, 10), 10);
    // The same tokens at the same places, though pages that moved were computed anew.
    turning->truncate(20);
    EXPECT_EQ(turning->length(), 20);
    fed(*turning, std::span(tokens).subspan(20), 100);
    EXPECT_TRUE(fed(*turning, tokens, 30) == expected);
}

TEST(Session, refuses_a_feed_that_no_shift_makes_room_for) {
    SessionOptions options{.context_tokens = 128};
    options.context_shift = true;
    const auto session = open(stories(), options);
    EXPECT_EQ(session->feed(some_tokens(129)).code(), Code::limit);
    EXPECT_OK(session->feed(some_tokens(128)));
    EXPECT_OK(session->feed(some_tokens(128)));
}

TEST(Plan, counts_what_a_session_then_takes) {
    auto outline = Model::load(Runtime::make({.threads = 2}),
                               {.path = test::source_dir() / "models" / "stories260K.gguf",
                                .progress = {}, .outline = true});
    ASSERT_OK(outline);
    for (const KvType type : {KvType::f16, KvType::q8_0}) {
        const SessionOptions options{.context_tokens = 512, .key_type = type, .value_type = type};
        const auto plan = make_plan(**outline, options, 0);
        ASSERT_OK(plan);
        const auto model = stories();
        const auto session = open(model, options);
        EXPECT_EQ(plan->weights, model->weights().bytes());
        EXPECT_EQ(plan->compute.activations, session->program().activation_bytes());
        EXPECT_EQ(plan->compute.scratch, session->program().scratch_bytes());
        fed(*session, some_tokens(512), 512);
        EXPECT_EQ(plan->kv + plan->exact, session->memory().kv);
        EXPECT_TRUE(plan->fits());
        uint64_t weights = 0, kv = 0;
        for (const PlannedLayer& layer : plan->layers) weights += layer.weights, kv += layer.kv;
        EXPECT_EQ(kv, plan->kv);
        EXPECT_NEAR(double(weights), double(plan->weights), 4096.0 * 100);  // matrices begin at pages
    }
}

}  // namespace

}  // namespace ingle
