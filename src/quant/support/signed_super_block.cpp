#include "quant/support/signed_super_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "quant/support/fit.h"
#include "quant/support/level_table.h"

namespace ingle::quant {

namespace {

constexpr int level_min = -32, level_max = 31;

class Search {
  public:
    Search(std::span<const float, 256> values, std::span<const float, 256> weights,
           std::span<const float> levels, int sub_size)
        : values_(values), weights_(weights), levels_(levels), sub_size_(size_t(sub_size)) {}

    SignedSuperBlock run() {
        start();
        SignedSuperBlock best = block_;
        float best_error = std::numeric_limits<float>::infinity();
        for (int round = 0; round < rounds; ++round) {
            float error = 0;
            for (size_t b = 0; b < sub_blocks(); ++b) error += choose_scale(b);
            for (size_t b = 0; b < sub_blocks(); ++b) code(b);
            if (error >= best_error) break;
            best_error = error;
            best = block_;
            refit_scale();
        }
        return best;
    }

  private:
    static constexpr int rounds = 4;

    size_t sub_blocks() const { return values_.size() / sub_size_; }
    std::span<const float> values(size_t b) const {
        return values_.subspan(b * sub_size_, sub_size_);
    }
    std::span<const float> weights(size_t b) const {
        return weights_.subspan(b * sub_size_, sub_size_);
    }

    void start() {
        float peak = 0;  // with its sign: it becomes level_min
        for (size_t b = 0; b < sub_blocks(); ++b) {
            fitted_[b] = fit_level_scale(values(b), weights(b), levels_);
            if (std::abs(fitted_[b]) > std::abs(peak)) peak = fitted_[b];
        }
        block_.scale = unit_of(-peak, -level_min);
        const float inverse = inverse_of(to_f32(block_.scale));
        for (size_t b = 0; b < sub_blocks(); ++b) {
            block_.scales[b] = int8_t(round_code(fitted_[b] * inverse, level_min, level_max));
        }
    }

    // Tries the neighbours of the sub-block's scale and keeps the best; returns its error.
    float choose_scale(size_t b) {
        const float unit = to_f32(block_.scale);
        const int middle = block_.scales[b];
        float best_error = std::numeric_limits<float>::infinity();
        for (int s = std::max(middle - 1, level_min); s <= std::min(middle + 1, level_max); ++s) {
            const float error = level_error(values(b), weights(b), unit * float(s), levels_);
            if (error >= best_error) continue;
            best_error = error;
            block_.scales[b] = int8_t(s);
        }
        return best_error;
    }

    void code(size_t b) {
        nearest_levels(values(b), to_f32(block_.scale) * float(block_.scales[b]), levels_,
                       std::span(block_.codes).subspan(b * sub_size_, sub_size_));
    }

    void refit_scale() {
        double square = 0, product = 0;
        for (size_t i = 0; i < values_.size(); ++i) {
            const double u = double(block_.scales[i / sub_size_]) * levels_[block_.codes[i]];
            square += weights_[i] * u * u;
            product += weights_[i] * u * values_[i];
        }
        if (square > 0) block_.scale = to_finite_f16(float(product / square));
    }

    std::span<const float, 256> values_;
    std::span<const float, 256> weights_;
    std::span<const float> levels_;
    size_t sub_size_;
    float fitted_[16] = {};
    SignedSuperBlock block_ = {};
};

}  // namespace

SignedSuperBlock fit_signed_super_block(std::span<const float, 256> values,
                                        std::span<const float, 256> weights,
                                        std::span<const float> levels, int sub_size) {
    return Search(values, weights, levels, sub_size).run();
}

}  // namespace ingle::quant
