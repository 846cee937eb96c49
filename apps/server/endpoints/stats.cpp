// GET /v1/stats: what the dashboard shows; percentiles over the last 1, 5 and 15 minutes.
#include "server/error.h"
#include "server/model_json.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Json quantiles_json(const Quantiles& quantiles) {
    return {{"count", quantiles.count}, {"p50", quantiles.p50}, {"p95", quantiles.p95}, {"p99", quantiles.p99}};
}

Json latency_json(const MetricsSnapshot& snapshot, Timing timing) {
    const Histogram& histogram = snapshot.histograms[size_t(timing)];
    const auto now = Clock::now();
    return {{"1m", quantiles_json(histogram.over(1, now))},
            {"5m", quantiles_json(histogram.over(5, now))},
            {"15m", quantiles_json(histogram.over(15, now))}};
}

Json requests_json(const Metrics::Totals& totals, const MetricsSnapshot& now) {
    Json requests = {{"stop", 0}, {"length", 0}, {"tool_calls", 0}, {"cancelled", 0}, {"failed", 0}};
    for (const auto& [reason, count] : totals.requests) requests[reason] = count;
    requests["rejected"] = now.ended[size_t(Ending::rejected)];
    return requests;
}

Response answer(const Request& request, Service& service) {
    const auto report = described_model(request, service);
    if (!report.ok()) return error_response(report.status());
    const MetricsSnapshot& now = report->card->metrics;
    return json_response(
        {{"model", report->name},
         {"uptime_seconds", now.uptime_seconds},
         {"tokens_per_second",
          {{"prompt", now.prompt_tokens_per_second}, {"generated", now.generated_tokens_per_second}}},
         {"totals",
          {{"prompt_tokens", now.prompt_tokens + now.cached_tokens},
           {"cached_tokens", now.cached_tokens},
           {"generated_tokens", now.generated_tokens},
           {"requests", requests_json(service.metrics().totals(report->name), now)}}},
         {"queue",
          {{"running", now.running},
           {"waiting", now.waiting},
           {"waiting_max", now.waiting_max},
           {"sequences_max", now.sequences_max}}},
         {"latency_seconds",
          {{"ttft", latency_json(now, Timing::first_token)},
           {"inter_token", latency_json(now, Timing::inter_token)},
           {"queue", latency_json(now, Timing::queue)},
           {"e2e", latency_json(now, Timing::whole)}}},
         {"kv",
          {{"key_type", report->card->key_type},
           {"value_type", report->card->value_type},
           {"used_tokens", now.pages_used * now.page_tokens},
           {"total_tokens", now.pages_max * now.page_tokens},
           {"used_bytes", now.bytes_of(now.pages_used, now.windows_used)},
           {"total_bytes", now.bytes_of(now.pages_max, now.windows_max)},
           {"prefix_tokens", now.prefix.unused * now.page_tokens}}},
         {"memory_bytes",
          {{"persistent", now.persistent_bytes},
           {"active", now.active_bytes},
           {"scratch", now.scratch_bytes},
           {"resident", now.resident_bytes},
           {"limit", nullptr}}}});
}

}  // namespace

namespace entries {
extern const Endpoint stats;
const Endpoint stats = {.method = "GET", .path = "/v1/stats", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
