// What the server counts of its requests; tokens, times, caches and memory are the engine's (engine/metrics.h).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/request.h"

namespace ingle::server {

class Metrics {
  public:
    struct Totals {
        int64_t tokens_after_first = 0;  // of answers: those that cost a step of their own
        double prompt_seconds = 0;
        double generate_seconds = 0;
        int64_t sequence_tokens_max = 0;
        int64_t prompt_tokens = 0;  // of finished answers, computed
        int64_t cached_tokens = 0;  // likewise, found in the cache
        int64_t tokens = 0;         // generated, likewise
        std::map<std::string, uint64_t> requests;  // by how they ended
        std::map<int, uint64_t> responses;         // by HTTP status
    };

    void count_finished(const Finished& finished, std::string_view reason);
    void count_cancelled();
    void count_failed();
    void count_response(int status);
    Totals totals() const;

  private:
    mutable std::mutex mutex_;
    Totals totals_;
};

}  // namespace ingle::server
