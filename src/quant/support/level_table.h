// Coding with a table of ascending levels: value ~ scale * levels[code].
#pragma once

#include <cstdint>
#include <span>

namespace ingle::quant {

// The code of the level that is nearest to value / scale, for every value. With scale 0 it is the
// level nearest to 0.
void nearest_levels(std::span<const float> values, float scale, std::span<const float> levels,
                    std::span<uint8_t> codes);

// sum(weight * (scale * level - value)^2) with those codes.
float level_error(std::span<const float> values, std::span<const float> weights, float scale,
                  std::span<const float> levels);

// The scale, of either sign, that loses least of several tried: each is a trial scale's codes
// refitted by least squares. 2 to 16 levels of both signs; 256 values at most, a multiple of 8.
float fit_level_scale(std::span<const float> values, std::span<const float> weights,
                      std::span<const float> levels);

}  // namespace ingle::quant
