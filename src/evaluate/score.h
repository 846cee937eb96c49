// Computes the logits of windows and hands the scored rows out to all threads.
#pragma once

#include <functional>

#include "base/function_ref.h"
#include "engine/session.h"
#include "evaluate/windows.h"

namespace ingle::evaluate {

// A session for windows of `size` tokens that computes as many rows of logits at once as is reasonable.
Result<std::unique_ptr<Session>> open_for_windows(std::shared_ptr<const Model> model,
                                                  SessionOptions options, int64_t size);

// The logits [vocab] after token first_scored + row of a window. Called from several threads at once,
// each row once.
using RowVisitor = FunctionRef<void(int64_t row, std::span<const float> logits)>;

// Which logits of a window are computed: those that are scored, or all (for whoever observes the model at work).
enum class Compute { scored_rows, every_row };

// Computes one window from an empty session and visits rows [0, windows.scored()).
Status score_window(Session& session, const Windows& windows, int64_t index, ThreadPool& pool,
                    RowVisitor visit, Compute compute = Compute::scored_rows);

// Called after each window; a failure stops the work.
using WindowDone = std::function<Status(int64_t windows_done)>;

}  // namespace ingle::evaluate
