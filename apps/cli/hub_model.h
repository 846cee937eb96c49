// Models that are named by their place on a hub instead of a file.
#pragma once

#include <string>

#include "cli/verb.h"

namespace ingle::cli {

// The path of the model's first file, downloaded if need be, with a bar on standard error. A text that is no
// reference is a path and comes back as it is.
Result<std::string> path_of_model(const std::string& name, bool offline);

}  // namespace ingle::cli
