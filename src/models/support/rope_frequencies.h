// The angle per position of every rotated pair, with the file's scaling already in it.
//
//   frequency[i] = base^(-2i/rotary)          plain
//   linear:  frequency / factor               yarn: between the two, by wavelength (Peng et al. 2023)
//   llama3 and longrope: frequency / rope_freqs[i], a tensor of the file
#pragma once

#include <vector>

#include "weights/loader.h"

namespace ingle::models {

struct RopeFrequencies {
    std::vector<float> values;  // [rotary / 2]
    float magnitude = 1;        // YaRN's factor on cos and sin
};

// From "rope.freq_base" and "rope.scaling.*" of the file; `head_dim` is the default of "rope.dimension_count".
RopeFrequencies scaled_frequencies(Loader& w, int64_t head_dim);
// Without any scaling.
RopeFrequencies plain_frequencies(float base, int64_t rotary);

}  // namespace ingle::models
