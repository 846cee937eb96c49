#include "quant/support/affine_super_block.h"

#include <algorithm>
#include <limits>

#include "quant/support/fit.h"

namespace ingle::quant {

namespace {

struct SubBlock {
    std::span<const float> values;
    std::span<const float> weights;
};

// The error of coding a sub-block as scale * code - minimum with the nearest codes.
float error_with(const SubBlock& sub, float scale, float minimum, int code_max) {
    const float inverse = inverse_of(scale);
    return sum_terms(sub.values.size(), [&](size_t i) {
        const float code = round_level((sub.values[i] + minimum) * inverse, 0, float(code_max));
        const float difference = scale * code - minimum - sub.values[i];
        return sub.weights[i] * difference * difference;
    });
}

class SuperBlockSearch {
  public:
    SuperBlockSearch(std::span<const float, 256> values, std::span<const float, 256> weights,
                     const AffineShape& shape)
        : values_(values), weights_(weights), shape_(shape) {}

    AffineSuperBlock run() {
        start();
        AffineSuperBlock best = block_;
        float best_error = std::numeric_limits<float>::infinity();
        for (int round = 0; round < rounds; ++round) {
            float error = 0;
            for (int b = 0; b < sub_blocks(); ++b) error += choose_levels(b);
            code_all();
            if (error >= best_error) break;
            best_error = error;
            best = block_;
            refit_scales();
        }
        return best;
    }

  private:
    static constexpr int rounds = 3;

    int sub_blocks() const { return 256 / shape_.sub_size; }
    SubBlock sub_block(int b) const {
        const auto first = size_t(b * shape_.sub_size), size = size_t(shape_.sub_size);
        return {values_.subspan(first, size), weights_.subspan(first, size)};
    }
    float scale_of(int b) const { return to_f32(block_.scale) * float(block_.scales[b]); }
    float min_of(int b) const { return to_f32(block_.min_scale) * float(block_.mins[b]); }

    // A line for every sub-block, rounded to the levels that the largest of them spans.
    void start() {
        std::array<Line, 16> lines;
        const int level_max = shape_.level_max;
        float scale_max = 0, minimum_max = 0;
        for (int b = 0; b < sub_blocks(); ++b) {
            const SubBlock sub = sub_block(b);
            lines[b] = fit_line(sub.values, sub.weights, shape_.code_max, 0);
            scale_max = std::max(scale_max, lines[b].scale);
            minimum_max = std::max(minimum_max, -lines[b].offset);
        }
        block_.scale = unit_of(scale_max, level_max);
        block_.min_scale = unit_of(minimum_max, level_max);
        const float inverse_scale = inverse_of(to_f32(block_.scale));
        const float inverse_min = inverse_of(to_f32(block_.min_scale));
        for (int b = 0; b < sub_blocks(); ++b) {
            block_.scales[b] = uint8_t(round_code(lines[b].scale * inverse_scale, 0, level_max));
            block_.mins[b] = uint8_t(round_code(-lines[b].offset * inverse_min, 0, level_max));
        }
    }

    // Tries the neighbouring levels of both numbers and keeps the best pair; returns its error.
    float choose_levels(int b) {
        const SubBlock sub = sub_block(b);
        const float scale = to_f32(block_.scale);
        const float min_scale = to_f32(block_.min_scale);
        const int level_max = shape_.level_max;
        const int level = block_.scales[b];
        const int min_level = block_.mins[b];
        float best_error = error_with(sub, scale_of(b), min_of(b), shape_.code_max);
        for (int s = std::max(level - 1, 0); s <= std::min(level + 1, level_max); ++s) {
            for (int m = std::max(min_level - 1, 0); m <= std::min(min_level + 1, level_max); ++m) {
                const float error =
                    error_with(sub, scale * float(s), min_scale * float(m), shape_.code_max);
                if (error < best_error) {
                    best_error = error;
                    block_.scales[b] = uint8_t(s);
                    block_.mins[b] = uint8_t(m);
                }
            }
        }
        return best_error;
    }

    void code_all() {
        for (int b = 0; b < sub_blocks(); ++b) {
            const float inverse = inverse_of(scale_of(b));
            const float minimum = min_of(b);
            for (int i = b * shape_.sub_size; i < (b + 1) * shape_.sub_size; ++i) {
                block_.codes[i] =
                    uint8_t(round_code((values_[i] + minimum) * inverse, 0, shape_.code_max));
            }
        }
    }

    // With codes and levels fixed, values are linear in the two f16 scales: solve for both.
    void refit_scales() {
        double uu = 0, vv = 0, uv = 0, ux = 0, vx = 0;
        for (int i = 0; i < 256; ++i) {
            const double u = double(block_.scales[i / shape_.sub_size]) * block_.codes[i];
            const double v = -double(block_.mins[i / shape_.sub_size]);
            const double w = weights_[i];
            uu += w * u * u;
            vv += w * v * v;
            uv += w * u * v;
            ux += w * u * values_[i];
            vx += w * v * values_[i];
        }
        const double determinant = uu * vv - uv * uv;
        if (determinant > 1e-9 * uu * vv) {
            const double scale = (vv * ux - uv * vx) / determinant;
            const double min_scale = (uu * vx - uv * ux) / determinant;
            if (scale <= 0 || min_scale < 0) return;
            block_.scale = to_finite_f16(float(scale));
            block_.min_scale = to_finite_f16(float(min_scale));
        } else if (vv == 0 && uu > 0 && ux > 0) {
            block_.scale = to_finite_f16(float(ux / uu));
        }
    }

    std::span<const float, 256> values_;
    std::span<const float, 256> weights_;
    const AffineShape& shape_;
    AffineSuperBlock block_ = {};
};

}  // namespace

PackedScales pack_scales(std::span<const uint8_t, 8> scales, std::span<const uint8_t, 8> mins) {
    PackedScales packed;
    for (int b = 0; b < 4; ++b) {
        packed.bytes[b] = uint8_t(scales[b] | scales[b + 4] >> 4 << 6);
        packed.bytes[b + 4] = uint8_t(mins[b] | mins[b + 4] >> 4 << 6);
        packed.bytes[b + 8] = uint8_t((scales[b + 4] & 15) | (mins[b + 4] & 15) << 4);
    }
    return packed;
}

AffineSuperBlock fit_affine_super_block(std::span<const float, 256> values,
                                        std::span<const float, 256> weights,
                                        const AffineShape& shape) {
    return SuperBlockSearch(values, weights, shape).run();
}

}  // namespace ingle::quant
