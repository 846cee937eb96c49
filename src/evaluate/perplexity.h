// Perplexity: exp of the mean surprise, -log p, of the scored tokens.
#pragma once

#include "evaluate/logits_file.h"
#include "evaluate/score.h"
#include "evaluate/statistics.h"

namespace ingle::evaluate {

// exp of the mean of `surprise` with its standard error, exp(mean) * error(mean).
Estimate perplexity_of(std::span<const double> surprise);

// The surprise of every scored token, window after window, in nats. If `base` is not null, the logits are written
// to it as well. `done` gets the surprises so far.
using PerplexityDone =
    std::function<Status(int64_t windows_done, std::span<const double> surprise)>;
Result<std::vector<double>> measure_surprise(Session& session, const Windows& windows,
                                             ThreadPool& pool, LogitsWriter* base,
                                             const PerplexityDone& done);

}  // namespace ingle::evaluate
