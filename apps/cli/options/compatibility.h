// Flags of llama.cpp that this build has no use for: so that a script written for it runs unchanged, those without
// effect are accepted with a notice, and those that would change the answer are refused by name.
#pragma once

#include <vector>

#include "cli/verb.h"

namespace ingle::cli {

std::vector<Option> compatibility_options();

// Writes the notices; fails on a flag that cannot be left without effect.
Status check_compatibility(const OptionValues& values);

}  // namespace ingle::cli
