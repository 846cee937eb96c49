// GET /metrics: in Prometheus' form. llama-server's names, and vLLM's set under our own prefix.
#include "base/platform.h"
#include "server/error.h"
#include "server/prometheus.h"
#include "server/service.h"

namespace ingle::server {

namespace {

double rate(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0.0; }

void write_as_llama_server(PrometheusText& text, const Metrics::Snapshot& now, const Engine& engine) {
    const Metrics::Totals& totals = now.totals;
    text.counter("llamacpp:prompt_tokens_total", "Number of prompt tokens processed.", double(totals.prompt_tokens));
    text.counter("llamacpp:prompt_seconds_total", "Prompt process time", totals.prompt_seconds);
    text.counter("llamacpp:tokens_predicted_total", "Number of generation tokens processed.", double(totals.tokens));
    text.counter("llamacpp:tokens_predicted_seconds_total", "Predict process time", totals.generate_seconds);
    text.gauge("llamacpp:prompt_tokens_seconds", "Average prompt throughput in tokens/s.",
               rate(double(totals.prompt_tokens), totals.prompt_seconds));
    text.gauge("llamacpp:predicted_tokens_seconds", "Average generation throughput in tokens/s.",
               rate(double(totals.tokens), totals.generate_seconds));
    text.gauge("llamacpp:requests_processing", "Number of requests processing.", double(engine.running()));
    text.gauge("llamacpp:requests_deferred", "Number of requests deferred.", double(engine.waiting()));
    text.counter("llamacpp:n_tokens_max", "Largest observed n_tokens.", double(totals.sequence_tokens_max));
}

void write_ours(PrometheusText& text, const Metrics::Snapshot& now, const Engine& engine) {
    const Metrics::Totals& totals = now.totals;
    text.gauge("ingle:num_requests_running", "Requests under way.", double(engine.running()));
    text.gauge("ingle:num_requests_waiting", "Requests in the queue.", double(engine.waiting()));
    text.counter("ingle:prompt_tokens_total", "Tokens of prompts, cached ones included.",
                 double(totals.prompt_tokens + totals.cached_tokens));
    text.counter("ingle:prefix_cache_hit_tokens_total", "Tokens of prompts found among kept prefixes.",
                 double(totals.cached_tokens));
    text.counter("ingle:generation_tokens_total", "Tokens generated.", double(totals.tokens));
    text.head("ingle:request_success_total", "counter", "Requests by how they ended.");
    for (const auto& [reason, count] : totals.requests)
        text.sample("ingle:request_success_total", double(count), "finished_reason", reason);
    text.head("ingle:http_responses_total", "counter", "Responses by status; 499: the client left.");
    for (const auto& [status, count] : totals.responses)
        text.sample("ingle:http_responses_total", double(count), "status", std::to_string(status));
    text.histogram("ingle:time_to_first_token_seconds", "From arrival to the first token.", now.first_token.histogram);
    text.histogram("ingle:inter_token_latency_seconds", "Mean time between tokens of a request.",
                   now.inter_token.histogram);
    text.histogram("ingle:e2e_request_latency_seconds", "From arrival to the end.", now.end_to_end.histogram);
    text.histogram("ingle:request_queue_time_seconds", "Time in the queue.", now.queue.histogram);
    text.histogram("ingle:request_prefill_time_seconds", "Time for the prompt.", now.prefill.histogram);
    text.histogram("ingle:request_decode_time_seconds", "Time for the answer.", now.decode.histogram);
    text.histogram("ingle:request_prompt_tokens", "Tokens of a prompt.", now.prompt_sizes);
    text.histogram("ingle:request_generation_tokens", "Tokens of an answer.", now.answer_sizes);
    text.gauge("ingle:uptime_seconds", "Since the start of the server.", now.uptime_seconds);
    text.gauge("process_resident_memory_bytes", "Resident memory.", double(platform::resident_bytes()));
}

Response answer(const Request&, Service& service) {
    if (!service.settings().show_metrics)
        return error_response(fail(Code::unsupported, "This server does not support metrics endpoint. Start it with `--metrics`"));
    const auto model = service.ready_model();
    if (!model.ok()) return error_response(model.status());
    const Metrics::Snapshot now = service.metrics().snapshot();
    PrometheusText plain(""), labelled(cat("model_name=\"", (*model)->name, "\""));
    write_as_llama_server(plain, now, *(*model)->engine);
    write_ours(labelled, now, *(*model)->engine);
    return {.content_type = "text/plain; version=0.0.4", .body = plain.take() + labelled.take()};
}

}  // namespace

namespace entries {
extern const Endpoint metrics;
const Endpoint metrics = {.method = "GET", .path = "/metrics", .open = false, .respond = answer};
}  // namespace entries

}  // namespace ingle::server
