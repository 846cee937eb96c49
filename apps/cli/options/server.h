// The flags of `ingle serve`, which are llama-server's.
#pragma once

#include <vector>

#include "cli/verb.h"

namespace ingle::cli {

std::vector<Option> server_options();

}  // namespace ingle::cli
