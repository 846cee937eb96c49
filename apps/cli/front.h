// The door: `ingle VERB ...` from words to an exit code.
#pragma once

#include <span>
#include <string>

namespace ingle::cli {

int run_command(std::span<const std::string> words);

}  // namespace ingle::cli
