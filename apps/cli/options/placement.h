// Where threads run, at what priority and how they wait: llama.cpp's flags.
#pragma once

#include <vector>

#include "base/option.h"
#include "base/thread_placement.h"

namespace ingle::cli {

std::vector<Option> placement_options();
Result<ThreadPlacement> thread_placement(const OptionValues& values);

}  // namespace ingle::cli
