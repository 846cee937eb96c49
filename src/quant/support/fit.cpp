#include "quant/support/fit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace ingle::quant {

namespace {

float tame(float value) {
    if (std::isnan(value)) return 0;
    return std::clamp(value, -magnitude_max, magnitude_max);
}

bool usable(float weight) { return weight > 0 && weight <= std::numeric_limits<float>::max(); }

// sum(weight * (scale * code + offset - value)^2)
float error_of(std::span<const float> values, std::span<const float> weights, const int* codes,
               Line line) {
    float error = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        const float difference = line.scale * float(codes[i]) + line.offset - values[i];
        error += weights[i] * difference * difference;
    }
    return error;
}

void round_all(std::span<const float> values, Line line, int low, int high, int* codes) {
    const float inverse = inverse_of(line.scale);
    for (size_t i = 0; i < values.size(); ++i) {
        codes[i] = round_code((values[i] - line.offset) * inverse, low, high);
    }
}

// The scale that is best for these codes, or `otherwise` if all codes are 0.
float best_scale(std::span<const float> values, std::span<const float> weights, const int* codes,
                 float otherwise) {
    float products = 0;
    float squares = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        const float weighted = weights[i] * float(codes[i]);
        products += weighted * values[i];
        squares += weighted * float(codes[i]);
    }
    return squares > 0 ? products / squares : otherwise;
}

// The line that is best for these codes, its offset at most offset_max; values are at least 0.
Line best_line(std::span<const float> values, std::span<const float> weights, const int* codes,
               Line otherwise, float offset_max) {
    float weight = 0, value = 0, code = 0, code_code = 0, code_value = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        const float q = float(codes[i]);
        weight += weights[i];
        value += weights[i] * values[i];
        code += weights[i] * q;
        code_code += weights[i] * q * q;
        code_value += weights[i] * q * values[i];
    }
    const float determinant = weight * code_code - code * code;
    if (!(determinant > 1e-6f * weight * code_code)) return otherwise;
    Line line = {(weight * code_value - code * value) / determinant,
                 (code_code * value - code * code_value) / determinant};
    if (line.offset > offset_max) {
        line.offset = offset_max;
        line.scale = (code_value - offset_max * code) / code_code;
    }
    return line.scale > 0 ? line : otherwise;
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

float fit_scale(std::span<const float> values, std::span<const float> weights, int range) {
    assert(values.size() <= 256 && values.size() == weights.size());
    float peak = 0;  // with its sign
    for (const float value : values) {
        if (std::abs(value) > std::abs(peak)) peak = value;
    }
    if (std::abs(peak) < magnitude_min) return 0;

    int codes[256];
    float best = -peak / float(range);
    float best_error = std::numeric_limits<float>::infinity();
    for (int step = -9; step <= 9; ++step) {
        const float trial = -peak / (float(range) + 0.1f * float(step));
        round_all(values, {trial, 0}, -range, range - 1, codes);
        const float scale = best_scale(values, weights, codes, trial);
        const float error = error_of(values, weights, codes, {scale, 0});
        if (error < best_error) {
            best_error = error;
            best = scale;
        }
    }
    return best;
}

Line fit_line(std::span<const float> values, std::span<const float> weights, int code_max,
              float offset_max) {
    assert(values.size() <= 256 && values.size() == weights.size());
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    const float low = std::min(*least, offset_max);
    const float range = *greatest - low;
    if (range < magnitude_min) return {0, low};

    // Shifted so that the least value is 0: a small range far from zero keeps its digits.
    float shifted[256];
    for (size_t i = 0; i < values.size(); ++i) shifted[i] = values[i] - low;
    const std::span<const float> raised(shifted, values.size());

    int codes[256];
    Line best = {range / float(code_max), 0};
    float best_error = std::numeric_limits<float>::infinity();
    for (int step = -10; step <= 10; ++step) {
        const Line trial = {range / (float(code_max) + 0.1f * float(step)), 0};
        round_all(raised, trial, 0, code_max, codes);
        const Line line = best_line(raised, weights, codes, trial, offset_max - low);
        const float error = error_of(raised, weights, codes, line);
        if (error < best_error) {
            best_error = error;
            best = line;
        }
    }
    return {best.scale, best.offset + low};
}

}  // namespace ingle::quant
