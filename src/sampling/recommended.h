// Sampling settings that a model file recommends (GGUF keys general.sampling.*). They fill what the
// user did not set.
#pragma once

#include <string_view>

#include "base/option.h"
#include "base/status.h"

namespace ingle::sampling {

// Takes the value of the key "general.sampling.KEY" (KEY: "temp", "top_k", "sequence", ...; a
// string, int64_t or double) into `options`, unless the user set that option. True if it was taken.
// Unknown keys are an error, as are values outside the option's range; nothing is changed then.
Result<bool> take_recommended(OptionValues& options, std::string_view key,
                              const OptionValue& value);

}  // namespace ingle::sampling
