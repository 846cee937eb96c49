// The settings of sampling: those of every file in samplers/ and those of the chain itself (seed,
// order, reports).
#pragma once

#include <string>
#include <vector>

#include "base/option.h"
#include "base/status.h"
#include "sampling/sampler.h"

namespace ingle::sampling {

// Every option of sampling, for a command line, a request schema or documentation.
std::vector<Option> sampling_options();

// Checks what only requests are held to: a temperature below 0 is refused (the command line takes
// it as 0, as llama.cpp does). Ranges and types were checked when the values were set.
Status check_request(const OptionValues& options);

// The ordered samplers that "samplers" or "sampler_seq" ask for; "samplers" wins when both are
// given. Unknown names and letters are refused with the nearest known name. A name may occur twice.
Result<std::vector<const SamplerKind*>> sampler_order(const OptionValues& options);

// "penalties;dry;..." and "ed...", derived from the files of samplers/.
std::vector<std::string> default_samplers();
std::string default_sampler_sequence();

// The seed to use: the one given, or for -1 (also as 4294967295) a new one from the system.
uint64_t choose_seed(const OptionValues& options);

}  // namespace ingle::sampling
