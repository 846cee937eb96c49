// Sixteen sequences with a common beginning take the memory of one, and little more.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/engine_run.h"

namespace ingle {

namespace {

constexpr int64_t sequences = 16;
constexpr int64_t prefix = 4096;
constexpr int64_t page = 32;

// Of its own each has less than a page.
GenerationRequest request(int64_t number) {
    std::vector<Token> prompt = {1};
    for (int64_t i = 1; i < prefix; ++i) prompt.push_back(Token(3 + i * 37 % 500));
    for (int64_t i = 0; i < 4; ++i) prompt.push_back(Token(50 + number));
    auto one = test::request_for(std::move(prompt), 24);
    one.ignore_end = true;
    return one;
}

uint64_t all_memory(const MetricsSnapshot& now) {
    return now.persistent_bytes + now.active_bytes + now.scratch_bytes;
}

// The most that was held while so many requests ran.
MetricsSnapshot most_of(Engine& engine, int64_t count) {
    std::vector<std::shared_ptr<Stream>> streams;
    for (int64_t i = 0; i < count; ++i) streams.push_back(engine.submit(request(i)));
    MetricsSnapshot most;
    for (const auto& stream : streams) {
        StreamEvent event;
        do {
            const MetricsSnapshot now = engine.metrics();
            if (all_memory(now) >= all_memory(most)) most = now;
            if (!stream->wait(event)) break;
        } while (!std::holds_alternative<Done>(event));
        EXPECT_OK(std::get<Done>(event).status);
    }
    const MetricsSnapshot now = engine.metrics();
    return all_memory(now) >= all_memory(most) ? now : most;
}

TEST(Sharing, sixteen_sequences_with_one_beginning_take_little_more_than_one) {
    const auto model = test::stories(2);
    const auto open = [&] {
        auto engine = Engine::open(model, {.context_tokens = prefix + 2 * page, .sequences_max = sequences});
        EXPECT_OK(engine);
        return std::move(*engine);
    };
    const MetricsSnapshot one = most_of(*open(), 1);
    EXPECT_EQ(one.pages_used, prefix / page + 1);
    const auto engine = open();
    const MetricsSnapshot all = most_of(*engine, sequences);
    // The beginning once, and a page of its own for each.
    EXPECT_EQ(all.pages_used, prefix / page + sequences);
    EXPECT_LE(double(all_memory(all)), 1.1 * double(all_memory(one)));
    // It was computed once, though all asked for it at the same time.
    EXPECT_LE(engine->metrics().prompt_tokens, prefix + sequences * page);
    EXPECT_GE(engine->metrics().cached_tokens, 0);
}

}  // namespace

}  // namespace ingle
