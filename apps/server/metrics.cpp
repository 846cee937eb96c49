#include "server/metrics.h"

#include <algorithm>

namespace ingle::server {

void Metrics::count_finished(const Finished& finished, std::string_view reason) {
    const Timings& timings = finished.timings;
    const std::lock_guard lock(mutex_);
    totals_.prompt_tokens += timings.prompt_tokens - timings.cached_tokens;
    totals_.cached_tokens += timings.cached_tokens;
    totals_.tokens += timings.tokens;
    totals_.tokens_after_first += std::max<int64_t>(timings.tokens - 1, 0);
    totals_.prompt_seconds += timings.prompt_seconds;
    totals_.generate_seconds += timings.generate_seconds;
    totals_.sequence_tokens_max =
        std::max(totals_.sequence_tokens_max, timings.prompt_tokens + timings.tokens);
    ++totals_.requests[std::string(reason)];
}

void Metrics::count_cancelled() {
    const std::lock_guard lock(mutex_);
    ++totals_.requests["cancelled"];
}

void Metrics::count_failed() {
    const std::lock_guard lock(mutex_);
    ++totals_.requests["failed"];
}

void Metrics::count_response(int status) {
    const std::lock_guard lock(mutex_);
    ++totals_.responses[status];
}

Metrics::Totals Metrics::totals() const {
    const std::lock_guard lock(mutex_);
    return totals_;
}

}  // namespace ingle::server
