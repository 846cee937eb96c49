// Lists of whole numbers as llama-bench takes them: "512", "128,512", "1-4" (every one), "64-256*2" (doubling), "0-512+128".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ingle::cli {

// Fails on anything else, on a number outside [min, max], and on more than 1000 of them. `what` names the flag.
Result<std::vector<int64_t>> parse_number_list(std::string_view text, std::string_view what,
                                               int64_t min, int64_t max);

}  // namespace ingle::cli
