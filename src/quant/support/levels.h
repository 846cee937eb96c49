// The ascending levels that codes stand for, prepared for rounding many values at a time.
#pragma once

#include <cstddef>

namespace ingle::quant {

struct Levels {
    int count = 0;
    float low = 0, high = 0;
    bool is_uniform = false;  // whole numbers from low to high; the arrays are not used
    // Trial scales put the largest value at the end of the levels, times these factors: `cut_most`
    // + j * `cut_step` for j from 0 to 15. Below 1 it is cut off, which pays with few levels.
    float cut_most = 1, cut_step = 0;
    float values[16] = {};
    float middles[15] = {};  // between a level and the next
    float steps[15] = {};
};

constexpr Levels uniform_levels(int low, int high, float cut_most, float cut_least) {
    Levels levels;
    levels.count = high - low + 1;
    levels.low = float(low);
    levels.high = float(high);
    levels.is_uniform = true;
    levels.cut_most = cut_most;
    levels.cut_step = (cut_least - cut_most) / 15;
    return levels;
}

template <size_t count>
constexpr Levels uneven_levels(const float (&values)[count], float cut_most, float cut_least) {
    static_assert(count <= 16);
    Levels levels = uniform_levels(0, int(count) - 1, cut_most, cut_least);
    levels.is_uniform = false;
    levels.low = values[0];
    levels.high = values[count - 1];
    for (size_t i = 0; i < count; ++i) levels.values[i] = values[i];
    for (size_t i = 0; i + 1 < count; ++i) {
        levels.middles[i] = (values[i] + values[i + 1]) / 2;
        levels.steps[i] = values[i + 1] - values[i];
    }
    return levels;
}

}  // namespace ingle::quant
