// The tasks with known answers that `ingle perplexity` scores: which one was asked for, and running it.
#pragma once

#include <vector>

#include "cli/verb.h"
#include "engine/session.h"

namespace ingle::cli {

std::vector<Option> task_options();

// True if one of them was asked for. Fails if several were.
Result<bool> task_asked(const OptionValues& values);

// Scores the task that was asked for on a model and prints what came out, as text or, with --json, as JSON.
Status run_task(const OptionValues& values, std::shared_ptr<const Model> model,
                const SessionOptions& session);

}  // namespace ingle::cli
