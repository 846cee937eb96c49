#include "cli/bench_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/cpu_info.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/json_writer.h"

namespace ingle::cli {

namespace {

struct Statistics {
    double mean = 0, deviation = 0;
};

// The deviation is the sample's (n - 1).
Statistics statistics_of(const std::vector<double>& samples) {
    Statistics found;
    for (const double sample : samples) found.mean += sample / double(samples.size());
    if (samples.size() < 2) return found;
    double squares = 0;
    for (const double sample : samples) squares += (sample - found.mean) * (sample - found.mean);
    found.deviation = std::sqrt(squares / double(samples.size() - 1));
    return found;
}

std::vector<double> rates_of(const BenchRow& row) {
    std::vector<double> rates;
    for (const int64_t ns : row.samples_ns)
        rates.push_back(1e9 * double(row.prompt_tokens + row.generated_tokens) /
                        double(std::max<int64_t>(ns, 1)));
    return rates;
}

void write_settings(JsonWriter& json, const BenchRow& row) {
    json.member("build_commit", version_text).member("build_number", 0);
    json.member("cpu_info", std::string_view(cpu_model_name())).member("gpu_info", "");
    json.member("backends", "CPU").member("model_filename", std::string_view(row.model_file));
    json.member("model_type", std::string_view(row.model_type));
    json.member("model_size", row.model_bytes).member("model_n_params", row.parameters);
    json.member("n_batch", row.chunk_tokens).member("n_ubatch", row.chunk_tokens);
    json.member("n_threads", row.threads).member("cpu_mask", "0x0").member("cpu_strict", false);
    json.member("poll", 50).member("type_k", std::string_view(row.key_type));
    json.member("type_v", std::string_view(row.value_type)).member("n_gpu_layers", 0);
    json.member("n_cpu_moe", 0).member("split_mode", "none").member("main_gpu", 0);
    json.member("no_kv_offload", true).member("flash_attn", true).member("devices", "CPU");
    json.member("tensor_split", "0.00").member("tensor_buft_overrides", "none");
    json.member("use_mmap", false).member("use_direct_io", false).member("embeddings", false);
    json.member("no_op_offload", 0).member("no_host", false);
}

void write_row(JsonWriter& json, const BenchRow& row) {
    json.begin_object();
    write_settings(json, row);
    json.member("n_prompt", row.prompt_tokens).member("n_gen", row.generated_tokens);
    json.member("n_depth", row.depth_tokens).member("test_time", std::string_view(row.begun));
    const std::vector<double> rates = rates_of(row);
    const Statistics times =
        statistics_of(std::vector<double>(row.samples_ns.begin(), row.samples_ns.end()));
    const Statistics speed = statistics_of(rates);
    json.member("avg_ns", std::llround(times.mean)).member("stddev_ns", std::llround(times.deviation));
    json.member("avg_ts", speed.mean).member("stddev_ts", speed.deviation);
    json.key("samples_ns").begin_array();
    for (const int64_t ns : row.samples_ns) json.value(ns);
    json.end_array().key("samples_ts").begin_array();
    for (const double rate : rates) json.value(rate);
    json.end_array().end_object();
}

std::string formatted(const char* format, double a, double b) {
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), format, a, b);
    return text.data();
}

}  // namespace

std::string BenchRow::test_name() const {
    std::string name = prompt_tokens > 0 ? cat("pp", prompt_tokens) : "";
    if (generated_tokens > 0) name += cat(name.empty() ? "" : "+", "tg", generated_tokens);
    return depth_tokens > 0 ? cat(name, " @ d", depth_tokens) : name;
}

std::string bench_json(const std::vector<BenchRow>& rows) {
    JsonWriter json(2);
    json.begin_array();
    for (const BenchRow& row : rows) write_row(json, row);
    return json.end_array().text() + "\n";
}

std::string bench_json_line(const BenchRow& row) {
    JsonWriter json;
    write_row(json, row);
    return json.text() + "\n";
}

std::string bench_markdown(const std::vector<BenchRow>& rows) {
    std::string out = "| model | size | params | backend | threads | test | t/s |\n"
                      "| --- | ---: | ---: | --- | ---: | ---: | ---: |\n";
    for (const BenchRow& row : rows) {
        const Statistics speed = statistics_of(rates_of(row));
        out += cat("| ", row.model_type, " | ", human_bytes(row.model_bytes), " | ",
                   formatted("%.2f M", double(row.parameters) / 1e6, 0), " | CPU | ", row.threads,
                   " | ", row.test_name(), " | ",
                   formatted("%.2f ± %.2f", speed.mean, speed.deviation), " |\n");
    }
    return out;
}

}  // namespace ingle::cli
