// GET /v1/stats: what the dashboard shows; percentiles over the last 1, 5 and 15 minutes.
#include "base/platform.h"
#include "server/error.h"
#include "server/service.h"

namespace ingle::server {

namespace {

Json summary_json(const Window::Summary& summary) {
    return {{"count", summary.count}, {"p50", summary.p50}, {"p95", summary.p95}, {"p99", summary.p99}};
}

Json latency_json(const Latency& latency) {
    const auto now = Clock::now();
    return {{"1m", summary_json(latency.window.over(60, now))},
            {"5m", summary_json(latency.window.over(300, now))},
            {"15m", summary_json(latency.window.over(900, now))}};
}

Response answer(const Request&, Service& service) {
    const auto ready = service.ready_model();
    if (!ready.ok()) return error_response(ready.status());
    const Engine& engine = *(*ready)->engine;
    const Metrics::Snapshot now = service.metrics().snapshot();
    const Metrics::Totals& totals = now.totals;
    Json requests = {{"stop", 0}, {"length", 0}, {"tool_calls", 0}, {"cancelled", 0}, {"failed", 0}, {"rejected", 0}};
    for (const auto& [reason, count] : totals.requests) requests[reason] = count;
    return json_response(
        {{"model", (*ready)->name},
         {"uptime_seconds", now.uptime_seconds},
         {"tokens_per_second", {{"prompt", now.prompt_rate}, {"generated", now.token_rate}}},
         {"totals",
          {{"prompt_tokens", totals.prompt_tokens + totals.cached_tokens},
           {"cached_tokens", totals.cached_tokens},
           {"generated_tokens", totals.tokens},
           {"requests", std::move(requests)}}},
         {"queue",
          {{"running", engine.running()},
           {"waiting", engine.waiting()},
           {"sequences_max", engine.sequences_max()}}},
         {"latency_seconds",
          {{"ttft", latency_json(now.first_token)},
           {"inter_token", latency_json(now.inter_token)},
           {"queue", latency_json(now.queue)},
           {"e2e", latency_json(now.end_to_end)}}},
         {"memory_bytes", {{"resident", platform::resident_bytes()}, {"limit", nullptr}}}});
}

}  // namespace

namespace entries {
extern const Endpoint stats;
const Endpoint stats = {.method = "GET", .path = "/v1/stats", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
