// What an engine has done and what it holds, for dashboards, logs and tests.
#pragma once

#include <array>
#include <mutex>
#include <string_view>

#include "base/platform_process.h"
#include "engine/histogram.h"
#include "kv/prefix_tree.h"

namespace ingle {

// What is timed. In seconds.
enum class Timing : uint8_t {
    queue,        // from arrival to the first slot
    first_token,  // from arrival to the first token
    prompt,       // from the slot to the first token
    inter_token,  // between two tokens of an answer
    answer,       // from the first token to the last
    whole,        // from arrival to the end
    step,         // one pass of the model
};
inline constexpr size_t timings = 7;
std::string_view to_string(Timing timing);

// How requests ended.
enum class Ending : uint8_t { stop, length, embedded, cancelled, failed, rejected };
inline constexpr size_t endings = 6;
std::string_view to_string(Ending ending);

struct MetricsSnapshot {
    double uptime_seconds = 0;
    // Counters, since the engine was opened.
    int64_t prompt_tokens = 0;     // computed
    int64_t cached_tokens = 0;     // of prompts, found and not computed
    int64_t generated_tokens = 0;
    int64_t steps = 0;
    int64_t step_sequences = 0;    // answers in them, summed
    int64_t preemptions = 0;
    std::array<int64_t, endings> ended = {};
    // Over the last five seconds.
    double prompt_tokens_per_second = 0;
    double generated_tokens_per_second = 0;
    std::array<Histogram, timings> histograms = {};

    // Now.
    int64_t running = 0;
    int64_t waiting = 0;
    int64_t waiting_max = 0;
    int64_t sequences_max = 0;
    int64_t context_tokens = 0;
    int64_t page_tokens = 0;
    int64_t pages_used = 0;       // held by answers or kept for prefixes
    int64_t pages_committed = 0;  // whose memory is taken
    int64_t pages_max = 0;
    uint64_t page_bytes = 0;        // without its window
    int64_t windows_used = 0;       // pages whose window is held, where layers have one (kv/page_pool.h)
    int64_t windows_committed = 0;
    int64_t windows_max = 0;
    uint64_t window_page_bytes = 0;
    kv::PrefixStatistics prefix;
    uint64_t persistent_bytes = 0;  // weights
    uint64_t active_bytes = 0;      // committed pages
    uint64_t scratch_bytes = 0;     // activations and working memory
    uint64_t resident_bytes = 0;    // of the process
    uint64_t peak_resident_bytes = 0;
    platform::ProcessUse process;

    uint64_t bytes_of(int64_t pages, int64_t windows) const {
        return uint64_t(pages) * page_bytes + uint64_t(windows) * window_page_bytes;
    }
};

// The counting part. Any thread.
class Metrics {
  public:
    void record(Timing timing, double seconds, Clock::time_point now);
    void count_step(int64_t sequences, int64_t prompt_tokens, int64_t generated_tokens, Clock::time_point now);
    void count_cached(int64_t tokens);
    void count_preemption();
    void count_end(Ending ending);
    // Fills what is counted here.
    void fill(MetricsSnapshot& snapshot) const;

  private:
    static constexpr int64_t rate_seconds = 5;
    struct Second {
        int64_t number = -1;
        int64_t prompt = 0, generated = 0;
    };

    mutable std::mutex mutex_;
    Clock::time_point opened_ = Clock::now();
    MetricsSnapshot counted_;  // its counters and histograms
    std::array<Second, rate_seconds + 1> recent_ = {};
};

}  // namespace ingle
