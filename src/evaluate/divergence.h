// How far a model's distributions are from those of another, kept in a file of logits: Kullback-Leibler divergence
// KLD = sum p_base (log p_base - log p), perplexity beside the base's, and the change of the right token's probability.
#pragma once

#include "evaluate/logits_file.h"
#include "evaluate/score.h"
#include "evaluate/statistics.h"

namespace ingle::evaluate {

// Of every scored token, window after window.
struct DivergenceRows {
    int64_t per_window = 0;
    int64_t first_position = 0;             // of the first scored token in its window
    std::vector<double> surprise;           // -log p(token)
    std::vector<double> base_surprise;
    std::vector<double> divergence;         // KLD, nats
    std::vector<double> probability_change; // p(token) - p_base(token)
    std::vector<double> same_top;           // 1: both models hold the same token for the likeliest

    size_t size() const { return surprise.size(); }
    // The first `windows` windows.
    DivergenceRows first(int64_t windows) const;
};

struct DivergenceSummary {
    Estimate perplexity, base_perplexity;
    double correlation = 0;  // of the two models' surprises
    Estimate log_ratio;      // mean of ln(PPL / PPL base), paired
    Estimate ratio;          // PPL / PPL base
    Estimate difference;     // PPL - PPL base
    Estimate mean, greatest; // of the divergence
    double least = 0;
    Estimate change, change_rms;  // of the right token's probability
    Estimate change_greatest;
    double change_least = 0;
    Estimate same_top;  // share of rows
};

// A quantile that reports name.
struct NamedQuantile {
    const char* name;  // "99.9%"
    double fraction;
};
// Those that llama-perplexity prints, descending.
std::span<const NamedQuantile> divergence_quantiles();
std::span<const NamedQuantile> change_quantiles();

// The windows that the file was made of, as this model reads them. Fails if its vocabulary is another.
Result<Windows> windows_of(const LogitsReader& base, const Model& model);

using DivergenceDone = std::function<Status(int64_t windows_done, const DivergenceRows& rows)>;
Result<DivergenceRows> measure_divergence(Session& session, const LogitsReader& base,
                                          const Windows& windows, ThreadPool& pool,
                                          const DivergenceDone& done);

// At least one row.
DivergenceSummary summarize(const DivergenceRows& rows);

// The mean divergence by position in the window.
struct PositionMean {
    double position = 0;  // the middle of its bin
    Estimate divergence;
};
std::vector<PositionMean> divergence_by_position(const DivergenceRows& rows, int64_t bins_max = 64);

}  // namespace ingle::evaluate
