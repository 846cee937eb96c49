// Importance of input columns, measured on a text: the model reads windows, and what meets each matrix is summed.
#pragma once

#include "evaluate/score.h"
#include "imatrix/imatrix.h"

namespace ingle::evaluate {

struct ImportanceOptions {
    int64_t first_window = 0;  // windows before it are left out
    bool perplexity = true;    // score the second halves, too
};

// What a session observed so far. Of matrices in blocks ("blk."), and of the output matrix if asked for.
imatrix::Matrix observed_importance(const Session& session, bool output_matrix);

// Reads windows [first_window, count) on a session that observes its inputs; without perplexity it needs no logits. `done` gets the windows read and the
// surprises (empty unless `perplexity`); a failure stops the work.
using ImportanceDone = std::function<Status(int64_t windows_done, std::span<const double> surprise)>;
Status measure_importance(Session& session, const Windows& windows, ThreadPool& pool,
                          const ImportanceOptions& options, const ImportanceDone& done);

}  // namespace ingle::evaluate
