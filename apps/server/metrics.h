// What the server counts of its requests. The engine counts steps, caches and memory (Engine).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/request.h"

namespace ingle::server {

// A histogram with fixed upper bounds, as Prometheus counts it.
struct Histogram {
    std::vector<double> bounds;  // ascending
    std::vector<uint64_t> counts;  // one more than bounds
    double sum = 0;
    uint64_t count = 0;

    explicit Histogram(std::vector<double> upper_bounds);
    void add(double value);
};

// Values of the last quarter of an hour, for percentiles over windows that end now.
class Window {
  public:
    void add(double value, Clock::time_point now);
    struct Summary {
        uint64_t count = 0;
        double p50 = 0;
        double p95 = 0;
        double p99 = 0;
    };
    Summary over(double seconds, Clock::time_point now) const;

  private:
    // The newest samples; a busy server keeps fewer minutes of them.
    static constexpr size_t samples_max = 20'000;
    struct Sample {
        Clock::time_point time;
        double value;
    };
    std::vector<Sample> ring_;
    size_t next_ = 0;
};

// A latency in both forms.
struct Latency {
    Histogram histogram;
    Window window;
    explicit Latency(std::vector<double> bounds) : histogram(std::move(bounds)) {}
    void add(double seconds);
};

class Metrics {
  public:
    Metrics();

    void count_first_token(double seconds);
    void count_finished(const Finished& finished, std::string_view reason, double seconds);
    void count_cancelled();
    void count_failed();
    void count_response(int status);

    struct Totals {
        uint64_t prompt_tokens = 0;  // computed
        uint64_t cached_tokens = 0;
        uint64_t tokens = 0;
        uint64_t tokens_after_first = 0;
        double prompt_seconds = 0;
        double generate_seconds = 0;
        int64_t sequence_tokens_max = 0;
        std::map<std::string, uint64_t> requests;  // by how they ended
        std::map<int, uint64_t> responses;         // by HTTP status
    };
    struct Snapshot {
        Totals totals;
        Latency first_token{{}}, inter_token{{}}, queue{{}}, prefill{{}}, decode{{}}, end_to_end{{}};
        Histogram prompt_sizes{{}}, answer_sizes{{}};
        double uptime_seconds = 0;
        double prompt_rate = 0;  // tokens/s of the last seconds
        double token_rate = 0;
    };
    Snapshot snapshot() const;

  private:
    mutable std::mutex mutex_;
    Clock::time_point started_ = Clock::now();
    Snapshot now_;
    Window prompt_tokens_, tokens_;  // amounts, for rates
};

}  // namespace ingle::server
