// What a benchmark found, in llama-bench's words: its JSON, CSV and SQL fields and its Markdown table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_placement.h"
#include "cli/bench_plan.h"

namespace ingle::cli {

// A mean and the sample's deviation (n - 1).
struct MeanDeviation {
    double mean = 0, deviation = 0;
};
MeanDeviation mean_deviation(const std::vector<double>& samples);

struct BenchRow {
    std::string model_file;
    std::string model_type;  // "llama 135M Q4_1"
    uint64_t model_bytes = 0;
    int64_t parameters = 0;
    int threads = 0;
    ThreadPlacement placement = {};
    bool repack = true;
    BenchSetting setting;
    BenchTest test;
    std::string begun;  // "2026-11-30T12:00:00Z"
    std::vector<int64_t> samples_ns;
    std::optional<double> roof_share;  // of the machine's best, if measured

    std::vector<double> rates() const;  // tokens a second, by sample
    MeanDeviation tokens_per_second() const { return mean_deviation(rates()); }
};

// In csv, jsonl and sql a row stands by itself and can be shown as it is found: report_head, then report_row for each.
// The others, md and json, are written at the end: report_all.
bool is_by_line(std::string_view format);
std::string report_head(std::string_view format, const BenchRow& first);
std::string report_row(std::string_view format, const BenchRow& row);
std::string report_all(std::string_view format, const std::vector<BenchRow>& rows);

}  // namespace ingle::cli
