#include "cli/divergence_report.h"

#include <array>
#include <cstdio>
#include <filesystem>

namespace ingle::cli {

namespace {

using evaluate::DivergenceSummary;
using evaluate::Estimate;

template <class... Values>
std::string formatted(const char* format, Values... values) {
    std::array<char, 256> text;
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

// In llama-perplexity's words, with a standard error wherever there is one.
std::string row(const char* name, Estimate e) {
    return formatted("%-30s: %11.6f ± %10.6f\n", name, e.value, e.error);
}
std::string percent_row(const char* name, Estimate e) {
    return formatted("%-30s: %8.3f ± %5.3f %%\n", name, 100 * e.value, 100 * e.error);
}

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

void write_estimate(JsonWriter& json, std::string_view name, Estimate e) {
    json.key(name).begin_object().member("value", e.value).member("error", e.error).end_object();
}

void write_quantiles(JsonWriter& json, const std::vector<double>& values,
                     std::span<const evaluate::NamedQuantile> quantiles) {
    const evaluate::Sorted sorted(values);
    json.key("quantiles").begin_object();
    for (const auto& quantile : quantiles)
        write_estimate(json, cat(quantile.fraction), sorted.quantile(quantile.fraction));
    json.end_object();
}

void write_divergence(JsonWriter& json, const evaluate::DivergenceRows& rows) {
    const DivergenceSummary s = summarize(rows);
    write_estimate(json, "base_perplexity", s.base_perplexity);
    json.member("correlation", s.correlation);
    write_estimate(json, "log_ratio", s.log_ratio);
    write_estimate(json, "ratio", s.ratio);
    write_estimate(json, "difference", s.difference);
    json.key("kld").begin_object();
    write_estimate(json, "mean", s.mean);
    write_estimate(json, "max", s.greatest);
    json.member("min", s.least);
    write_quantiles(json, rows.divergence, evaluate::divergence_quantiles());
    json.end_object().key("delta_p").begin_object();
    write_estimate(json, "mean", s.change);
    write_estimate(json, "rms", s.change_rms);
    write_estimate(json, "max", s.change_greatest);
    json.member("min", s.change_least);
    write_quantiles(json, rows.probability_change, evaluate::change_quantiles());
    json.end_object();
    write_estimate(json, "same_top", s.same_top);
    json.key("kld_by_position").begin_array();
    for (const evaluate::PositionMean& mean : divergence_by_position(rows)) {
        json.begin_object().member("position", mean.position);
        json.member("mean", mean.divergence.value).member("error", mean.divergence.error).end_object();
    }
    json.end_array();
}

}  // namespace

std::string perplexity_line(const TextMeasurement& found) {
    const Estimate ppl = evaluate::perplexity_of(found.surprise);
    return formatted("Final estimate: PPL = %.4f +/- %.5f\n", ppl.value, ppl.error);
}

std::string divergence_heading() {
    return "\nchunk             PPL               ln(PPL(Q)/PPL(base))          KL Divergence"
           "              Δp RMS            Same top p\n";
}

std::string divergence_line(int64_t window, const DivergenceSummary& s) {
    return formatted("%4d  %11.4f ± %9.4f  %12.5f ± %9.5f  %12.5f ± %10.5f  ", int(window),
                     s.perplexity.value, s.perplexity.error, s.log_ratio.value, s.log_ratio.error,
                     s.mean.value, s.mean.error) +
           formatted("%8.3f ± %6.3f %%    %7.3f ± %6.3f %%\n", 100 * s.change_rms.value,
                     100 * s.change_rms.error, 100 * s.same_top.value, 100 * s.same_top.error);
}

std::string divergence_text(const evaluate::DivergenceRows& rows) {
    const DivergenceSummary s = summarize(rows);
    std::string out = "\n====== Perplexity statistics ======\n";
    out += row("Mean PPL(Q)", s.perplexity) + row("Mean PPL(base)", s.base_perplexity);
    out += formatted("%-30s: %7.2f%%\n", "Cor(ln(PPL(Q)), ln(PPL(base)))", 100 * s.correlation);
    out += row("Mean ln(PPL(Q)/PPL(base))", s.log_ratio) + row("Mean PPL(Q)/PPL(base)", s.ratio);
    out += row("Mean PPL(Q)-PPL(base)", s.difference);
    out += "\n====== KL divergence statistics ======\n";
    out += row("Mean    KLD", s.mean) + row("Maximum KLD", s.greatest);
    const evaluate::Sorted divergence(rows.divergence), change(rows.probability_change);
    for (const auto& q : evaluate::divergence_quantiles())
        out += row(formatted("%-7s KLD", q.name).c_str(), divergence.quantile(q.fraction));
    out += formatted("%-30s: %11.6f\n", "Minimum KLD", s.least);
    out += "\n====== Token probability statistics ======\n";
    out += percent_row("Mean    Δp", s.change) + percent_row("Maximum Δp", s.change_greatest);
    for (const auto& q : evaluate::change_quantiles())
        out += percent_row(formatted("%-7s Δp", q.name).c_str(), change.quantile(q.fraction));
    out += formatted("%-30s: %8.3f %%\n", "Minimum Δp", 100 * s.change_least);
    return out + percent_row("RMS Δp", s.change_rms) + percent_row("Same top p", s.same_top);
}

void write_measurement(JsonWriter& json, const TextMeasurement& found) {
    json.begin_object().member("model_file", std::string_view(found.model_file));
    json.member("model_bytes", found.model_bytes).member("n_ctx", found.window_tokens);
    json.member("stride", found.stride).member("chunks", found.windows);
    json.member("tokens_scored", found.surprise.size());
    write_estimate(json, "perplexity", evaluate::perplexity_of(found.surprise));
    json.key("running").begin_array();
    for (const double value : found.running) json.value(value);
    json.end_array();
    if (found.divergence) write_divergence(json, *found.divergence);
    json.end_object();
}

std::vector<evaluate::Chart> charts_of(const std::vector<TextMeasurement>& found) {
    std::vector<evaluate::Chart> charts;
    evaluate::Chart positions{.title = "Divergence by position", .x_title = "position in the window",
                              .y_title = "mean KLD, nats", .series = {}};
    evaluate::Chart sizes{.title = "Quality against size", .x_title = "file, MiB", .y_title = {},
                          .series = {{.name = {}, .points = {}, .joined = false}},
                          .y_from_zero = false};
    for (const TextMeasurement& one : found) {
        const std::string name = file_name(one.model_file);
        Estimate quality = evaluate::perplexity_of(one.surprise);
        sizes.y_title = "perplexity";
        if (one.divergence) {
            quality = evaluate::mean_of(one.divergence->divergence);
            sizes.y_title = "mean KLD, nats";
            sizes.y_from_zero = true;
            evaluate::ChartSeries series{.name = name, .points = {}};
            for (const auto& mean : divergence_by_position(*one.divergence))
                series.points.push_back({mean.position, mean.divergence.value, mean.divergence.error,
                                         {}});
            positions.series.push_back(std::move(series));
        }
        sizes.series[0].points.push_back(
            {double(one.model_bytes) / (1 << 20), quality.value, quality.error, name});
    }
    if (!positions.series.empty()) charts.push_back(std::move(positions));
    charts.push_back(std::move(sizes));
    return charts;
}

}  // namespace ingle::cli
