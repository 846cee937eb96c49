// Which models `ingle serve` has, and how long they stay in memory.
#pragma once

#include <vector>

#include "base/option.h"

namespace ingle::cli {

std::vector<Option> serve_model_options();

}  // namespace ingle::cli
