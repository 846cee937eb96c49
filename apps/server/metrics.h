// What the server counts of its requests, by model; tokens, times, caches and memory are the engine's
// (engine/metrics.h). It outlives a model's stay in memory.
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
        int64_t embedded_tokens = 0;  // of prompts whose vectors were asked for
        int64_t cached_tokens = 0;  // likewise, found in the cache
        int64_t tokens = 0;         // generated, likewise
        std::map<std::string, uint64_t> requests;  // by how they ended
    };
    // Tokens a second since the last time of asking, 0 if there were none.
    struct Rates {
        double prompt = 0;
        double generated = 0;
    };

    void count_finished(const std::string& model, const Finished& finished, std::string_view reason);
    void count_embedded(const std::string& model, int64_t tokens);
    void count_cancelled(const std::string& model);
    void count_failed(const std::string& model);
    void count_response(int status);
    Totals totals(std::string_view model) const;
    Rates take_rates(std::string_view model);
    std::map<int, uint64_t> responses() const;  // by HTTP status

  private:
    struct Counted {
        Totals totals;
        Totals told;  // as they were when the rates were last asked for
    };

    mutable std::mutex mutex_;
    std::map<std::string, Counted, std::less<>> models_;
    std::map<int, uint64_t> responses_;
};

}  // namespace ingle::server
