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

// After the trials, rounding to the best line and fitting again can only gain; it stops soon.
constexpr int polish_rounds = 2;

// One block during a search: a line is tried by rounding the values to codes on it, fitting the
// best line to those codes, and keeping that line if it is the best so far.
class LineSearch {
  public:
    LineSearch(std::span<const float> values, std::span<const float> weights, float low, float high)
        : values_(values), weights_(weights), low_(low), high_(high) {}

    // The line through zero.
    void try_scale(float scale) {
        round_to({scale, 0});
        const float squares = square();
        if (squares > 0) keep({product() / squares, 0});
    }

    // Any line whose offset is at most offset_max.
    void try_line(Line line, float offset_max) {
        round_to(line);
        const float w = sum_terms(size(), [&](size_t i) { return weights_[i]; });
        const float x = sum_terms(size(), [&](size_t i) { return weights_[i] * values_[i]; });
        const float q = sum_terms(size(), [&](size_t i) { return weights_[i] * codes_[i]; });
        const float qq = square();
        const float qx = product();
        const float determinant = w * qq - q * q;
        if (!(determinant > 1e-6f * w * qq)) return;
        Line best = {(w * qx - q * x) / determinant, (qq * x - q * qx) / determinant};
        if (best.offset > offset_max) best = {(qx - offset_max * q) / qq, offset_max};
        if (best.scale > 0) keep(best);
    }

    Line best() const { return best_; }
    void start_from(Line line) { best_ = line; }

  private:
    size_t size() const { return values_.size(); }

    void round_to(Line line) {
        const float inverse = inverse_of(line.scale);
        for (size_t i = 0; i < size(); ++i) {
            codes_[i] = round_level((values_[i] - line.offset) * inverse, low_, high_);
        }
    }

    float square() const {
        return sum_terms(size(), [&](size_t i) { return weights_[i] * codes_[i] * codes_[i]; });
    }

    float product() const {
        return sum_terms(size(), [&](size_t i) { return weights_[i] * codes_[i] * values_[i]; });
    }

    void keep(Line line) {
        const float error = sum_terms(size(), [&](size_t i) {
            const float difference = line.scale * codes_[i] + line.offset - values_[i];
            return weights_[i] * difference * difference;
        });
        if (error >= error_) return;
        error_ = error;
        best_ = line;
    }

    std::span<const float> values_;
    std::span<const float> weights_;
    float low_;
    float high_;
    Line best_ = {};
    float error_ = std::numeric_limits<float>::infinity();
    float codes_[256];
};

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
    assert(values.size() <= 256 && values.size() % 8 == 0 && values.size() == weights.size());
    float peak = 0;  // with its sign
    for (const float value : values) {
        if (std::abs(value) > std::abs(peak)) peak = value;
    }
    if (std::abs(peak) < magnitude_min) return 0;

    LineSearch search(values, weights, float(-range), float(range - 1));
    search.start_from({-peak / float(range), 0});
    for (int step = -6; step <= 6; ++step) {
        const float stretch = 0.15f * float(step);
        search.try_scale(-peak / (float(range) + stretch));
        search.try_scale(peak / (float(range - 1) + stretch));
    }
    for (int round = 0; round < polish_rounds; ++round) search.try_scale(search.best().scale);
    return search.best().scale;
}

Line fit_line(std::span<const float> values, std::span<const float> weights, int code_max,
              float offset_max) {
    assert(values.size() <= 256 && values.size() % 8 == 0 && values.size() == weights.size());
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    const float low = std::min(*least, offset_max);
    const float range = *greatest - low;
    if (range < magnitude_min) return {0, low};

    // Shifted so that the least value is 0: a small range far from zero keeps its digits.
    float shifted[256];
    for (size_t i = 0; i < values.size(); ++i) shifted[i] = values[i] - low;

    LineSearch search({shifted, values.size()}, weights, 0, float(code_max));
    search.start_from({range / float(code_max), 0});
    for (int step = -10; step <= 10; ++step) {
        search.try_line({range / (float(code_max) + 0.1f * float(step)), 0}, offset_max - low);
    }
    for (int round = 0; round < polish_rounds; ++round) {
        search.try_line(search.best(), offset_max - low);
    }
    return {search.best().scale, search.best().offset + low};
}

}  // namespace ingle::quant
