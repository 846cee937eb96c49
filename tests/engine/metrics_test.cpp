// Counters, rates and quantiles say what happened.
#include "engine/metrics.h"

#include <gtest/gtest.h>

#include "support/engine_run.h"

namespace ingle {

namespace {

using test::collect;
using test::request_for;

TEST(Histogram, quantiles_are_right_to_a_bucket) {
    Histogram histogram;
    const Clock::time_point now = Clock::now();
    for (int i = 1; i <= 1000; ++i) histogram.record(i * 1e-3, now);
    const Quantiles minute = histogram.over(1, now);
    EXPECT_EQ(minute.count, 1000);
    EXPECT_NEAR(minute.p50, 0.5, 0.1);
    EXPECT_NEAR(minute.p95, 0.95, 0.19);
    EXPECT_NEAR(minute.p99, 0.99, 0.198);
    EXPECT_NEAR(histogram.sum_seconds(), 500.5, 1e-6);
}

TEST(Histogram, windows_forget_what_is_older) {
    Histogram histogram;
    const Clock::time_point start = Clock::now();
    histogram.record(1, start);
    for (const int minutes : {1, 5, 15}) {
        EXPECT_EQ(histogram.over(minutes, start + std::chrono::seconds(minutes * 60 - 20)).count, 1);
        EXPECT_EQ(histogram.over(minutes, start + std::chrono::seconds(minutes * 60 + 20)).count, 0);
    }
    histogram.record(2, start + std::chrono::hours(1));
    EXPECT_EQ(histogram.over(15, start + std::chrono::hours(1)).count, 1);
    EXPECT_EQ(histogram.count(), 2);
}

TEST(Histogram, anything_is_counted) {
    Histogram histogram;
    const Clock::time_point now = Clock::now();
    for (const double seconds : {0.0, -1.0, 1e-9, 1e9}) histogram.record(seconds, now);
    EXPECT_EQ(histogram.over(1, now).count, 4);
}

TEST(EngineMetrics, count_what_requests_did) {
    const auto model = test::stories();
    auto engine = Engine::open(model, {.context_tokens = 256});
    ASSERT_OK(engine);
    std::vector<Token> prompt(100, 5);
    auto request = request_for(prompt, 10);
    request.ignore_end = true;
    collect(*(*engine)->submit(request));
    collect(*(*engine)->submit(request));
    collect(*(*engine)->submit(request_for({}, 1)));
    EmbeddingRequest embedding;
    embedding.input = prompt;
    collect(*(*engine)->submit(embedding));
    const auto cancelled = (*engine)->submit(request);
    cancelled->cancel();
    collect(*cancelled);

    const MetricsSnapshot all = (*engine)->metrics();
    EXPECT_EQ(all.ended[size_t(Ending::length)], 2);
    EXPECT_EQ(all.ended[size_t(Ending::rejected)], 1);
    EXPECT_EQ(all.ended[size_t(Ending::embedded)], 1);
    EXPECT_EQ(all.ended[size_t(Ending::cancelled)], 1);
    EXPECT_GE(all.cached_tokens, 99);
    EXPECT_GE(all.prompt_tokens, 100);
    EXPECT_GE(all.generated_tokens, 18);
    EXPECT_GE(all.histograms[size_t(Timing::first_token)].count(), 2);
    EXPECT_GE(all.histograms[size_t(Timing::inter_token)].count(), 18);
    EXPECT_EQ(all.histograms[size_t(Timing::whole)].count(), 2);
    EXPECT_EQ(all.sequences_max, (*engine)->sequences_max());
    EXPECT_GT(all.pages_used, 0);
    EXPECT_EQ(all.active_bytes, all.bytes_of(all.pages_committed, all.windows_committed));
    EXPECT_GT(all.persistent_bytes, 0u);
    EXPECT_GT(all.process.user_seconds + all.process.system_seconds, 0);
    EXPECT_GT(all.uptime_seconds, 0);
}

}  // namespace

}  // namespace ingle
