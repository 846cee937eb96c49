// GET /metrics: in Prometheus' form. llama-server's names, and vLLM's set under our own prefix.
#include "base/platform.h"
#include "base/platform_process.h"
#include "server/error.h"
#include "server/model_json.h"
#include "server/prometheus.h"
#include "server/service.h"

namespace ingle::server {

namespace {

double rate(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0.0; }

void write_as_llama_server(PrometheusText& text, const Metrics::Totals& totals, const Metrics::Rates& rates,
                           const MetricsSnapshot& now) {
    text.counter("llamacpp:prompt_tokens_total", "Number of prompt tokens processed.",
                 double(totals.prompt_tokens + totals.embedded_tokens));
    text.counter("llamacpp:prompt_tokens_cached_total", "Number of prompt tokens found in the cache.",
                 double(totals.cached_tokens));
    text.counter("llamacpp:prompt_seconds_total", "Prompt process time", totals.prompt_seconds);
    text.counter("llamacpp:tokens_predicted_total", "Number of generation tokens processed.",
                 double(totals.tokens));
    text.counter("llamacpp:tokens_predicted_seconds_total", "Predict process time", totals.generate_seconds);
    text.gauge("llamacpp:prompt_tokens_seconds", "Average prompt throughput in tokens/s since the last scrape.",
               rates.prompt);
    text.gauge("llamacpp:predicted_tokens_seconds",
               "Average generation throughput in tokens/s since the last scrape.", rates.generated);
    text.gauge("llamacpp:requests_processing", "Number of requests processing.", double(now.running));
    text.gauge("llamacpp:requests_deferred", "Number of requests deferred.", double(now.waiting));
    text.counter("llamacpp:n_decode_total", "Total number of llama_decode() calls", double(now.steps));
    text.gauge("llamacpp:n_busy_slots_per_decode", "Average number of answers in one step.",
               rate(double(now.step_sequences), double(now.steps)));
    text.counter("llamacpp:n_tokens_max", "Largest observed n_tokens.", double(totals.sequence_tokens_max));
    // Nothing is drafted here; dashboards find the names and zero.
    text.counter("llamacpp:spec_decode_num_drafts_total", "Number of drafts.", 0);
    text.counter("llamacpp:spec_decode_num_draft_tokens_total", "Number of drafted tokens.", 0);
    text.counter("llamacpp:spec_decode_num_accepted_tokens_total", "Number of accepted drafted tokens.", 0);
}

void write_requests(PrometheusText& text, const Metrics::Totals& totals, const MetricsSnapshot& now) {
    text.gauge("ingle:num_requests_running", "Requests under way.", double(now.running));
    text.gauge("ingle:num_requests_waiting", "Requests in the queue.", double(now.waiting));
    text.counter("ingle:prompt_tokens_total", "Tokens of prompts, cached ones included.",
                 double(now.prompt_tokens + now.cached_tokens));
    text.counter("ingle:generation_tokens_total", "Tokens generated.", double(now.generated_tokens));
    text.counter("ingle:num_preemptions_total", "Answers that gave their pages back for a while.",
                 double(now.preemptions));
    text.head("ingle:request_success_total", "counter", "Answers by how they ended.");
    for (const auto& [reason, count] : totals.requests)
        text.sample("ingle:request_success_total", double(count), "finished_reason", reason);
}

void write_process(PrometheusText& text, const Service& service) {
    text.head("ingle:http_responses_total", "counter", "Responses by status; 499: the client left.");
    for (const auto& [status, count] : service.metrics().responses())
        text.sample("ingle:http_responses_total", double(count), "status", std::to_string(status));
    const platform::ProcessUse use = platform::process_use();
    text.gauge("process_resident_memory_bytes", "Resident memory.", double(platform::resident_bytes()));
    text.counter("process_cpu_seconds_total", "Processor time, user and system.",
                 use.user_seconds + use.system_seconds);
    text.counter("ingle:page_faults_total", "Pages that had to be read.", double(use.major_faults));
}

void write_times(PrometheusText& text, const MetricsSnapshot& now) {
    const auto histogram = [&](Timing timing, std::string_view name, std::string_view help) {
        text.histogram(name, help, now.histograms[size_t(timing)]);
    };
    histogram(Timing::first_token, "ingle:time_to_first_token_seconds", "From arrival to the first token.");
    histogram(Timing::inter_token, "ingle:inter_token_latency_seconds", "Between two tokens of an answer.");
    histogram(Timing::whole, "ingle:e2e_request_latency_seconds", "From arrival to the end.");
    histogram(Timing::queue, "ingle:request_queue_time_seconds", "Time in the queue.");
    histogram(Timing::prompt, "ingle:request_prefill_time_seconds", "Time for the prompt.");
    histogram(Timing::answer, "ingle:request_decode_time_seconds", "Time for the answer.");
    histogram(Timing::step, "ingle:step_time_seconds", "One pass of the model.");
}

void write_memory(PrometheusText& text, const MetricsSnapshot& now) {
    text.gauge("ingle:kv_cache_usage_perc", "Share of the cache's pages in use, 0 to 1.",
               rate(double(now.pages_used), double(now.pages_max)));
    text.counter("ingle:prefix_cache_queries", "Tokens of prompts looked for among kept ones.",
                 double(now.prefix.tokens_asked));
    text.counter("ingle:prefix_cache_hits", "Tokens of prompts found there.", double(now.prefix.tokens_found));
    text.counter("ingle:prefix_cache_evictions_total", "Pages of kept prefixes given up.",
                 double(now.prefix.evictions));
    text.gauge("ingle:weights_bytes", "Memory of the weights.", double(now.persistent_bytes));
    text.gauge("ingle:kv_bytes", "Memory of the cache's pages.", double(now.active_bytes));
    text.gauge("ingle:scratch_bytes", "Memory of activations.", double(now.scratch_bytes));
    text.gauge("ingle:uptime_seconds", "Since the model was opened.", now.uptime_seconds);
}

Response answer(const Request& request, Service& service) {
    if (!service.settings().show_metrics)
        return error_response(
            fail(Code::unsupported, "This server does not support metrics endpoint. Start it with `--metrics`"));
    if (const Status status = service.models().ready(); !status.ok()) return error_response(status);
    const std::string wanted = request.query_value("model");
    const bool several = service.models().several();
    PrometheusText text;
    for (const ModelReport& report : service.models().reports()) {
        if (!report.card || (several && !wanted.empty() && report.name != wanted)) continue;
        const Metrics::Totals totals = service.metrics().totals(report.name);
        const MetricsSnapshot& now = report.card->metrics;
        // llama-server's names carry a label only where it is needed to tell models apart.
        text.label(several ? "model_name" : "", report.name);
        write_as_llama_server(text, totals, service.metrics().take_rates(report.name), now);
        text.label("model_name", report.name);
        text.gauge("ingle:model_loaded", "Whether the model is in memory.",
                   report.state == ModelState::loaded ? 1 : 0);
        write_requests(text, totals, now);
        write_times(text, now);
        write_memory(text, now);
    }
    text.label("", "");
    write_process(text, service);
    Response response = {.content_type = "text/plain; version=0.0.4", .body = text.take()};
    response.headers.emplace_back("Process-Start-Time-Unix", cat(service.started()));
    return response;
}

}  // namespace

namespace entries {
extern const Endpoint metrics;
const Endpoint metrics = {.method = "GET", .path = "/metrics", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
