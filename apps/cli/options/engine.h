// How a model is loaded and run: options shared by the verbs that compute.
#pragma once

#include <memory>
#include <vector>

#include "cli/verb.h"
#include "engine/session.h"
#include "sampling/chain.h"

namespace ingle::cli {

// Context, threads, cache types, precision.
std::vector<Option> engine_options();

// Loads the model named by the invocation, with a progress bar.
Result<std::shared_ptr<const Model>> load_model(const Invocation& invocation);
// The same from a file given otherwise than by -m; threads 0: as many as the machine grants.
Result<std::shared_ptr<const Model>> load_model(const OptionValues& values, const std::string& path,
                                                int threads);
// Fails if a block of the file decodes to something that is no number.
Status check_all_tensors(const std::string& path, int threads);
Result<RuntimeOptions> runtime_options(const OptionValues& values);
// What --memory says holds for the whole process from here on.
Status limit_memory(const OptionValues& values);
// Before a model is loaded: a cache type that is to be chosen for it (auto) counts as f16, the largest it can be.
SessionOptions session_options(const OptionValues& values);
// Tries the model for types that are to be chosen, and says which they are.
Result<SessionOptions> session_options(const OptionValues& values,
                                       const std::shared_ptr<const Model>& model);
bool chooses_cache_type(const OptionValues& values);

// Settings of sampling alone, with those that the model's file recommends: what requests to a server start from.
OptionValues sampling_defaults(const OptionValues& values, const gguf::File& file);
// Settings for sampling: what the user gave, then what the model's file recommends, then defaults.
Result<sampling::Chain> make_chain(OptionValues values, const Session& session);

}  // namespace ingle::cli
