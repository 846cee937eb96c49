// The fields that all ways of generating share: sampling, length, stops, form, how many answers.
#pragma once

#include "engine/request.h"
#include "server/json.h"
#include "server/served_model.h"
#include "server/settings.h"

namespace ingle::server {

// Everything of a request to the engine but its prompt and the wish for probabilities. Reads the sampling
// fields, "n_predict", "max_tokens" and "max_completion_tokens" (the least wins; -1 or absent: until the context
// is full), "stop", "n", "ignore_eos", "cache_prompt", "grammar" and its kin.
Result<GenerationRequest> generation_of(const Json& request, const ServedModel& model,
                                        const Settings& settings);

}  // namespace ingle::server
