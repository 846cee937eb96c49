#include "evaluate/importance.h"

#include "evaluate/softmax.h"
#include "evaluate/statistics.h"

namespace ingle::evaluate {

namespace {

imatrix::Entry entry_of(const graph::Observation& observation, size_t matrix, const WeightSource& weight) {
    imatrix::Entry entry;
    const ops::ExpertSquares& all = observation.by_expert;
    if (all.rows.empty()) {
        entry.sums.assign(observation.sums.squares.begin(), observation.sums.squares.end());
        entry.counts = {float(observation.sums.rows)};
        return entry;
    }
    const size_t experts = all.rows.size();
    if (observation.stacked) {
        entry.sums.assign(all.squares.begin(), all.squares.end());
        entry.counts.assign(all.rows.begin(), all.rows.end());
        return entry;
    }
    const size_t expert = matrix % experts;
    const auto first = all.squares.begin() + int64_t(expert) * weight.columns;
    entry.sums.assign(first, first + weight.columns);
    entry.counts = {float(all.rows[expert])};
    return entry;
}

}  // namespace

imatrix::Matrix observed_importance(const Session& session, bool output_matrix) {
    imatrix::Matrix matrix;
    const auto& weights = session.model().graph().weights;
    for (const graph::Observation& observation : session.observations())
        for (size_t m = 0; m < observation.matrices.size(); ++m) {
            const WeightSource& weight = weights[size_t(observation.matrices[m])];
            const std::string& name = weight.name;
            if (!name.starts_with("blk.") && !(output_matrix && name == "output.weight")) continue;
            matrix.entries[name] = entry_of(observation, m, weight);
        }
    return matrix;
}

Status measure_importance(Session& session, const Windows& windows, ThreadPool& pool,
                          const ImportanceOptions& options, const ImportanceDone& done) {
    std::vector<double> surprise;
    for (int64_t w = options.first_window; w < windows.count; ++w) {
        const size_t before = surprise.size();
        if (options.perplexity) surprise.resize(before + size_t(windows.scored()));
        const auto visit = [&](int64_t row, std::span<const float> logits) {
            const float target = logits[size_t(windows.target(w, row))];
            surprise[before + size_t(row)] = -log_softmax(logits).of(target);
        };
        if (options.perplexity) {
            INGLE_TRY(score_window(session, windows, w, pool, visit, Compute::every_row));
            INGLE_TRY(check_finite(surprise, windows.scored(), "the surprise"));
        } else {
            session.truncate(0);
            INGLE_TRY(session.evaluate_from(windows.window(w), 0,
                                            [](int64_t, std::span<const float>) { return Status(); }));
        }
        INGLE_TRY(done(w + 1 - options.first_window, surprise));
    }
    return {};
}

}  // namespace ingle::evaluate
