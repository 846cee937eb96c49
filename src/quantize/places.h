// Where each tensor stands in its model, as recipes count it.
#pragma once

#include <vector>

#include "gguf/reader.h"
#include "quantize/recipe.h"

namespace ingle::quantize {

// One place per tensor of the file. Value matrices are counted among themselves, in order of
// layers. Feed-forward matrices are numbered by their layer in models with experts, else counted
// one by one; both out of the number of layers.
std::vector<Place> places_of(const gguf::File& file, bool has_importance);

// "KEY" of "ARCHITECTURE.KEY" as a whole number; for an array its greatest element. `missing` if it
// is not there.
int64_t hyperparameter(const gguf::Metadata& metadata, std::string_view key, int64_t missing);

}  // namespace ingle::quantize
