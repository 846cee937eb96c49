#include "engine/metrics.h"

#include <algorithm>

namespace ingle {

namespace {

int64_t second_of(Clock::time_point time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace

std::string_view to_string(Timing timing) {
    constexpr std::string_view names[] = {"queue",       "first_token", "prompt", "inter_token",
                                          "answer",      "whole",       "step"};
    static_assert(std::size(names) == timings);
    return names[size_t(timing)];
}

std::string_view to_string(Ending ending) {
    constexpr std::string_view names[] = {"stop",      "length", "embedded",
                                          "cancelled", "failed", "rejected"};
    static_assert(std::size(names) == endings);
    return names[size_t(ending)];
}

void Metrics::record(Timing timing, double seconds, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    counted_.histograms[size_t(timing)].record(seconds, now);
}

void Metrics::count_step(int64_t sequences, int64_t prompt_tokens, int64_t generated_tokens,
                         Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    ++counted_.steps;
    counted_.step_sequences += sequences;
    counted_.prompt_tokens += prompt_tokens;
    counted_.generated_tokens += generated_tokens;
    Second& second = recent_[size_t(second_of(now)) % recent_.size()];
    if (second.number != second_of(now)) second = {.number = second_of(now)};
    second.prompt += prompt_tokens;
    second.generated += generated_tokens;
}

void Metrics::count_cached(int64_t tokens) {
    const std::lock_guard lock(mutex_);
    counted_.cached_tokens += tokens;
}

void Metrics::count_preemption() {
    const std::lock_guard lock(mutex_);
    ++counted_.preemptions;
}

void Metrics::count_end(Ending ending) {
    const std::lock_guard lock(mutex_);
    ++counted_.ended[size_t(ending)];
}

void Metrics::fill(MetricsSnapshot& snapshot) const {
    const std::lock_guard lock(mutex_);
    snapshot = counted_;
    const Clock::time_point now = Clock::now();
    snapshot.uptime_seconds = std::chrono::duration<double>(now - opened_).count();
    // The second under way is not counted: it is not full.
    for (const Second& second : recent_) {
        const int64_t age = second_of(now) - second.number;
        if (age < 1 || age > rate_seconds) continue;
        snapshot.prompt_tokens_per_second += double(second.prompt) / double(rate_seconds);
        snapshot.generated_tokens_per_second += double(second.generated) / double(rate_seconds);
    }
}

}  // namespace ingle
