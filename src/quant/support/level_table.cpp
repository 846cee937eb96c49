#include "quant/support/level_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "quant/support/fit.h"

namespace ingle::quant {

namespace {

// The nearest levels themselves, without their codes: as sums of steps, so that it vectorises.
class Rounder {
  public:
    explicit Rounder(std::span<const float> levels) : lowest_(levels[0]) {
        assert(levels.size() >= 2 && levels.size() <= 16);
        count_ = levels.size() - 1;
        for (size_t j = 0; j < count_; ++j) {
            middles_[j] = (levels[j] + levels[j + 1]) / 2;
            steps_[j] = levels[j + 1] - levels[j];
        }
    }

    void round(std::span<const float> values, float scale, float* out) const {
        const float inverse = inverse_of(scale);
        for (size_t i = 0; i < values.size(); ++i) out[i] = lowest_;
        for (size_t j = 0; j < count_; ++j) {
            const float middle = middles_[j], step = steps_[j];
            for (size_t i = 0; i < values.size(); ++i) {
                out[i] += values[i] * inverse > middle ? step : 0.0f;
            }
        }
    }
    int code(float scaled) const {
        int code = 0;
        for (size_t j = 0; j < count_; ++j) code += scaled > middles_[j] ? 1 : 0;
        return code;
    }

  private:
    float lowest_;
    size_t count_;
    float middles_[15];
    float steps_[15];
};

float error_of(std::span<const float> values, std::span<const float> weights, float scale,
               const float* rounded) {
    return sum_terms(values.size(), [&](size_t i) {
        const float difference = scale * rounded[i] - values[i];
        return weights[i] * difference * difference;
    });
}

// The least squares scale for these levels; 0 if they are all zero.
float refit(std::span<const float> values, std::span<const float> weights, const float* rounded) {
    const float square = sum_terms(
        values.size(), [&](size_t i) { return weights[i] * rounded[i] * rounded[i]; });
    const float product = sum_terms(
        values.size(), [&](size_t i) { return weights[i] * rounded[i] * values[i]; });
    return square > 0 ? product / square : 0;
}

}  // namespace

void nearest_levels(std::span<const float> values, float scale, std::span<const float> levels,
                    std::span<uint8_t> codes) {
    const Rounder rounder(levels);
    const float inverse = inverse_of(scale);
    for (size_t i = 0; i < values.size(); ++i) {
        codes[i] = uint8_t(rounder.code(values[i] * inverse));
    }
}

float level_error(std::span<const float> values, std::span<const float> weights, float scale,
                  std::span<const float> levels) {
    float rounded[256];
    Rounder(levels).round(values, scale, rounded);
    return error_of(values, weights, scale, rounded);
}

float fit_level_scale(std::span<const float> values, std::span<const float> weights,
                      std::span<const float> levels) {
    assert(values.size() <= 256 && values.size() % 8 == 0 && values.size() == weights.size());
    float peak = 0;  // with its sign
    for (const float value : values) {
        if (std::abs(value) > std::abs(peak)) peak = value;
    }
    if (std::abs(peak) < magnitude_min) return 0;

    const Rounder rounder(levels);
    float best = peak / levels.front(), best_error = std::numeric_limits<float>::infinity();
    float rounded[256];
    const auto try_scale = [&](float scale) {
        rounder.round(values, scale, rounded);
        const float refitted = refit(values, weights, rounded);
        const float error = error_of(values, weights, refitted, rounded);
        if (refitted == 0 || error >= best_error) return;
        best_error = error;
        best = refitted;
    };
    // The peak on either end of the table, up to 30 % inside it, and outside as far as cutting the
    // largest values can pay: the farther, the fewer the levels.
    const int first = levels.size() < 8 ? -16 : -6;
    for (int step = first; step <= 6; ++step) {
        const float stretch = 1 + 0.05f * float(step);
        try_scale(peak * stretch / levels.front());
        try_scale(peak * stretch / levels.back());
    }
    for (int round = 0; round < 2; ++round) try_scale(best);
    return best;
}

}  // namespace ingle::quant
