// What `ingle perplexity` found, as text, JSON and charts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/json_writer.h"
#include "evaluate/chart.h"
#include "evaluate/divergence.h"
#include "evaluate/perplexity.h"

namespace ingle::cli {

// One model's measurement.
struct TextMeasurement {
    std::string model_file;
    uint64_t model_bytes = 0;
    int64_t window_tokens = 0;
    int64_t windows = 0;
    int64_t stride = 0;
    std::vector<double> surprise;  // of each scored token
    std::vector<double> running;   // perplexity after each window
    std::optional<evaluate::DivergenceRows> divergence;
};

// "Final estimate: PPL = 24.5958 +/- 1.66940"
std::string perplexity_line(const TextMeasurement& found);
// The line of one window and the heading above them.
std::string divergence_heading();
std::string divergence_line(int64_t window, const evaluate::DivergenceSummary& so_far);
// All figures, with standard errors.
std::string divergence_text(const evaluate::DivergenceRows& rows);

void write_measurement(JsonWriter& json, const TextMeasurement& found);
// Divergence by position in the window, and quality against file size.
std::vector<evaluate::Chart> charts_of(const std::vector<TextMeasurement>& found);

}  // namespace ingle::cli
