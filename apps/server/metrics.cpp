#include "server/metrics.h"

#include <algorithm>
#include <cmath>

namespace ingle::server {

namespace {

const std::vector<double> seconds_bounds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                            1,     2.5,    5,     10,   20,    40,   80,  160,  640};
const std::vector<double> token_bounds = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144};

double seconds_since(Clock::time_point begin, Clock::time_point now) {
    return std::chrono::duration<double>(now - begin).count();
}

}  // namespace

Histogram::Histogram(std::vector<double> upper_bounds)
    : bounds(std::move(upper_bounds)), counts(bounds.size() + 1) {}

void Histogram::add(double value) {
    const auto place = std::ranges::lower_bound(bounds, value) - bounds.begin();
    ++counts[size_t(place)];
    sum += value;
    ++count;
}

void Window::add(double value, Clock::time_point now) {
    if (ring_.size() < samples_max) {
        ring_.push_back({now, value});
        return;
    }
    ring_[next_] = {now, value};
    next_ = (next_ + 1) % samples_max;
}

Window::Summary Window::over(double seconds, Clock::time_point now) const {
    std::vector<double> values;
    for (const Sample& sample : ring_)
        if (seconds_since(sample.time, now) <= seconds) values.push_back(sample.value);
    Summary summary{.count = values.size()};
    if (values.empty()) return summary;
    std::ranges::sort(values);
    // Nearest rank: the least value that at least this share does not exceed.
    const auto rank = [&](double share) {
        const double place = std::ceil(share * double(values.size()));
        return values[size_t(std::max(place, 1.0)) - 1];
    };
    summary.p50 = rank(0.50);
    summary.p95 = rank(0.95);
    summary.p99 = rank(0.99);
    return summary;
}

void Latency::add(double seconds) {
    histogram.add(seconds);
    window.add(seconds, Clock::now());
}

Metrics::Metrics() {
    for (Latency* const latency : {&now_.first_token, &now_.inter_token, &now_.queue, &now_.prefill,
                                   &now_.decode, &now_.end_to_end})
        *latency = Latency(seconds_bounds);
    now_.prompt_sizes = Histogram(token_bounds);
    now_.answer_sizes = Histogram(token_bounds);
}

void Metrics::count_first_token(double seconds) {
    const std::lock_guard lock(mutex_);
    now_.first_token.add(seconds);
}

void Metrics::count_finished(const Finished& finished, std::string_view reason, double seconds) {
    const Timings& timings = finished.timings;
    const std::lock_guard lock(mutex_);
    Totals& totals = now_.totals;
    const int64_t computed = timings.prompt_tokens - timings.cached_tokens;
    totals.prompt_tokens += uint64_t(computed);
    totals.cached_tokens += uint64_t(timings.cached_tokens);
    totals.tokens += uint64_t(timings.tokens);
    totals.prompt_seconds += timings.prompt_seconds;
    totals.generate_seconds += timings.generate_seconds;
    totals.sequence_tokens_max =
        std::max(totals.sequence_tokens_max, timings.prompt_tokens + timings.tokens);
    ++totals.requests[std::string(reason)];
    now_.queue.add(timings.queue_seconds);
    now_.prefill.add(timings.prompt_seconds);
    now_.decode.add(timings.generate_seconds);
    now_.end_to_end.add(seconds);
    if (timings.tokens > 1) {
        totals.tokens_after_first += uint64_t(timings.tokens - 1);
        now_.inter_token.add(timings.generate_seconds / double(timings.tokens - 1));
    }
    now_.prompt_sizes.add(double(timings.prompt_tokens));
    now_.answer_sizes.add(double(timings.tokens));
}

void Metrics::count_cancelled() {
    const std::lock_guard lock(mutex_);
    ++now_.totals.requests["cancelled"];
}

void Metrics::count_failed() {
    const std::lock_guard lock(mutex_);
    ++now_.totals.requests["failed"];
}

void Metrics::count_response(int status) {
    const std::lock_guard lock(mutex_);
    ++now_.totals.responses[status];
}

Metrics::Snapshot Metrics::snapshot() const {
    const std::lock_guard lock(mutex_);
    Snapshot copy = now_;
    copy.uptime_seconds = seconds_since(started_, Clock::now());
    return copy;
}

}  // namespace ingle::server
