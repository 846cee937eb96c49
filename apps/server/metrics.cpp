#include "server/metrics.h"

#include <algorithm>

namespace ingle::server {

void Metrics::count_finished(const std::string& model, const Finished& finished, std::string_view reason) {
    const Timings& timings = finished.timings;
    const std::lock_guard lock(mutex_);
    Totals& totals = models_[model].totals;
    totals.prompt_tokens += timings.prompt_tokens - timings.cached_tokens;
    totals.cached_tokens += timings.cached_tokens;
    totals.tokens += timings.tokens;
    totals.tokens_after_first += std::max<int64_t>(timings.tokens - 1, 0);
    totals.prompt_seconds += timings.prompt_seconds;
    totals.generate_seconds += timings.generate_seconds;
    totals.sequence_tokens_max =
        std::max(totals.sequence_tokens_max, timings.prompt_tokens + timings.tokens);
    ++totals.requests[std::string(reason)];
}

void Metrics::count_embedded(const std::string& model, int64_t tokens) {
    const std::lock_guard lock(mutex_);
    models_[model].totals.embedded_tokens += tokens;
}

void Metrics::count_cancelled(const std::string& model) {
    const std::lock_guard lock(mutex_);
    ++models_[model].totals.requests["cancelled"];
}

void Metrics::count_failed(const std::string& model) {
    const std::lock_guard lock(mutex_);
    ++models_[model].totals.requests["failed"];
}

void Metrics::count_response(int status) {
    const std::lock_guard lock(mutex_);
    ++responses_[status];
}

Metrics::Totals Metrics::totals(std::string_view model) const {
    const std::lock_guard lock(mutex_);
    const auto found = models_.find(model);
    return found == models_.end() ? Totals() : found->second.totals;
}

Metrics::Rates Metrics::take_rates(std::string_view model) {
    const std::lock_guard lock(mutex_);
    const auto found = models_.find(model);
    if (found == models_.end()) return {};
    const Totals& now = found->second.totals;
    const Totals told = std::exchange(found->second.told, now);
    const auto rate = [](int64_t tokens, double seconds) {
        return tokens > 0 && seconds > 0 ? double(tokens) / seconds : 0.0;
    };
    return {rate(now.prompt_tokens - told.prompt_tokens, now.prompt_seconds - told.prompt_seconds),
            rate(now.tokens_after_first - told.tokens_after_first, now.generate_seconds - told.generate_seconds)};
}

std::map<int, uint64_t> Metrics::responses() const {
    const std::lock_guard lock(mutex_);
    return responses_;
}

}  // namespace ingle::server
