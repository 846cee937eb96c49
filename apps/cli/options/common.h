// Options of every verb: help and the log.
#pragma once

#include <vector>

#include "cli/verb.h"

namespace ingle::cli {

std::vector<Option> common_options();

// Sets the log of this process as the common options say.
Status apply_common_options(const OptionValues& values);

}  // namespace ingle::cli
