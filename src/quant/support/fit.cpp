#include "quant/support/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ingle::quant {

namespace {

float tame(float value) {
    if (std::isnan(value)) return 0;
    return std::clamp(value, -magnitude_max, magnitude_max);
}

bool usable(float weight) {
    return weight > 0 && weight <= std::numeric_limits<float>::max();
}

}  // namespace

void load_block(std::span<const float> row, const EncodeContext& context, size_t index,
                std::span<float> values, std::span<float> weights) {
    const size_t first = index * values.size();
    for (size_t i = 0; i < values.size(); ++i) values[i] = tame(row[first + i]);
    std::fill(weights.begin(), weights.end(), 1.0f);
    if (context.importance.empty()) return;
    const auto importance = context.importance.subspan(first, values.size());
    float largest = 0;
    for (const float weight : importance) {
        if (usable(weight)) largest = std::max(largest, weight);
    }
    if (largest == 0) return;
    for (size_t i = 0; i < weights.size(); ++i) {
        weights[i] = usable(importance[i]) ? importance[i] / largest : 0.0f;
    }
}

}  // namespace ingle::quant
