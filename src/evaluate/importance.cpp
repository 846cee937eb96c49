#include "evaluate/importance.h"

#include "evaluate/softmax.h"
#include "evaluate/statistics.h"

namespace ingle::evaluate {

imatrix::Matrix observed_importance(const Session& session, bool output_matrix) {
    imatrix::Matrix matrix;
    const auto& weights = session.model().graph().weights;
    for (const graph::Observation& observation : session.observations())
        for (const WeightId id : observation.matrices) {
            const std::string& name = weights[size_t(id)].name;
            if (!name.starts_with("blk.") && !(output_matrix && name == "output.weight")) continue;
            imatrix::Entry& entry = matrix.entries[name];
            const auto& squares = observation.sums.squares;
            entry.sums.assign(squares.begin(), squares.end());
            entry.counts = {float(observation.sums.rows)};
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
