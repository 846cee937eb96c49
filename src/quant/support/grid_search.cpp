#include "quant/support/grid_search.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "quant/search/search.h"
#include "quant/support/fit.h"

namespace ingle::quant {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr int combinations_max = 81;

}  // namespace

GridIndex::GridIndex(const uint32_t* words, int rows, int size) : size_(size) {
    std::vector<int> numbers;
    for (int i = 0; i < rows * size; ++i) numbers.push_back(int8_t(words[i / 4] >> (i % 4 * 8)));
    std::vector<int> levels = numbers;
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    assert(levels.size() <= 8);
    levels_.assign(levels.begin(), levels.end());
    for (const int number : numbers) {
        const auto at = std::lower_bound(levels.begin(), levels.end(), number);
        positions_.push_back(uint8_t(at - levels.begin()));
    }

    const int half = size / 2, count = int(levels.size());
    combinations_ = 1;
    for (int k = 0; k < half; ++k) combinations_ *= count;
    assert(combinations_ <= combinations_max);
    const auto combination = [&](int row, int first) {
        int number = 0;
        for (int k = half - 1; k >= 0; --k) {
            number = number * count + positions_[size_t(row * size + first + k)];
        }
        return number;
    };
    std::vector<std::pair<int, int>> order;  // second half, row
    for (int row = 0; row < rows; ++row) order.emplace_back(combination(row, half), row);
    std::sort(order.begin(), order.end());
    for (const auto& [second_half, row] : order) {
        const int at = int(entries_.size());
        if (groups_.empty() || groups_.back().second_half != second_half) {
            groups_.push_back({second_half, at, at});
        }
        entries_.push_back({uint16_t(row), uint16_t(combination(row, 0))});
        groups_.back().last = at + 1;
    }
}

GridTables GridIndex::tables() const {
    return {size_, int(levels_.size()), combinations_, int(groups_.size()),
            levels_.data(), groups_.data(), entries_.data()};
}

namespace {

// Two corrections of plain least squares, found by the divergence of whole models at 1.5 to 3.5
// bits. Large weights count for more: weight * sqrt(1 + value^2 / (8 * mean square)). Rows of -1, 0
// and 1 (those with offsets) cannot tell large ones apart and do better without.
constexpr float emphasis = 0.125f;
// What the codes cannot express is missing in the direction of the true values, so every product
// comes out too small: least squares accepts that. The scale takes back most of the loss, which
// costs little error.
constexpr double recovery = 0.85;

// Rows and offsets of a sub-block, and how well they do.
struct Coded {
    float scale = 0;
    float error = infinity;
    uint16_t rows[8] = {};
    uint8_t offsets[8] = {};
};

// Sums of a least squares fit: scale = product / square.
struct Sums {
    double square = 0, product = 0;
};

class SubBlock {
  public:
    SubBlock(const GridShape& shape, std::span<const float> values, std::span<const float> weights)
        : shape_(shape), tables_(shape.index.tables()), values_(values), weights_(weights) {
        for (size_t i = 0; i < values.size(); ++i)
            total_ += double(weights[i]) * values[i] * values[i];
    }

    // The rows that cost least at each of sixteen scales.
    GridResult code(const float (&scales)[16]) const {
        GridResult result;
        search_kernels().grid(tables_,
                              {values_.data(), weights_.data(), int(values_.size()), scales,
                               shape_.offsets.data(), int(shape_.offsets.size()),
                               shape_.offset_by_row},
                              result);
        return result;
    }

    // One trial of those.
    Coded pick(const GridResult& result, int trial, float scale) const {
        Coded coded;
        coded.scale = scale;
        coded.error = result.costs[trial];
        for (size_t row = 0; row < values_.size() / size_t(tables_.size); ++row) {
            coded.rows[row] = result.rows[row][trial];
            coded.offsets[row] = result.offsets[row][trial];
        }
        return coded;
    }

    // Sixteen scales tried, each fitted to the rows it gave.
    Coded fit() const {
        float peak = 0;
        for (const float value : values_) peak = std::max(peak, std::abs(value));
        Coded best;
        if (peak < magnitude_min) return best;
        const float largest = shape_.index.levels().back() + shape_.offsets.back();
        float scales[16];
        for (int j = 0; j < 15; ++j) scales[j] = peak / (largest * (0.6f + 0.05f * float(j)));
        // All on the smallest number, if it is none of both signs.
        const float least = shape_.index.levels().front();
        scales[15] = least > 0 ? peak / least : scales[7];
        const GridResult result = code(scales);
        for (int j = 0; j < 16; ++j) {
            const Coded coded = refitted(pick(result, j, scales[j]));
            if (coded.error < best.error) best = coded;
        }
        return best;
    }

    // sum(weight * value^2)
    double square() const { return total_; }

    Sums sums(const Coded& coded) const {
        Sums result;
        const int size = shape_.index.size();
        for (size_t i = 0; i < values_.size(); ++i) {
            const size_t row = i / size_t(size);
            const double level = double(shape_.index.number(coded.rows[row], int(i) % size)) +
                                 double(shape_.offsets[coded.offsets[row]]);
            result.square += weights_[i] * level * level;
            result.product += weights_[i] * level * values_[i];
        }
        return result;
    }

  private:
    Coded refitted(Coded coded) const {
        const Sums fit = sums(coded);
        if (fit.square <= 0 || fit.product <= 0) return coded;
        coded.scale = float(fit.product / fit.square);
        coded.error = float(total_ - fit.product * fit.product / fit.square);
        return coded;
    }

    const GridShape& shape_;
    GridTables tables_;
    std::span<const float> values_;
    std::span<const float> weights_;
    double total_ = 0;
};

class SuperBlock {
  public:
    SuperBlock(const GridShape& shape, std::span<const float, 256> values,
               std::span<const float, 256> weights)
        : shape_(shape) {
        emphasize(values, weights);
        const auto size = size_t(shape.sub_size);
        for (size_t first = 0; first < 256; first += size) {
            subs_.emplace_back(shape, values.subspan(first, size),
                               std::span(weights_).subspan(first, size));
        }
    }
    SuperBlock(const SuperBlock&) = delete;
    SuperBlock& operator=(const SuperBlock&) = delete;

    GridSuperBlock run() {
        float largest = 0;
        for (size_t b = 0; b < subs_.size(); ++b) {
            coded_[b] = subs_[b].fit();
            largest = std::max(largest, coded_[b].scale);
        }
        scale_ = to_finite_f16(largest * shape_.denominator / float(2 * shape_.level_count - 1));
        if (scale_.bits == 0 && largest > 0) scale_.bits = 1;
        float error = 0;
        for (size_t b = 0; b < subs_.size(); ++b) error += choose_level(b);
        const GridSuperBlock first = result();
        refit();
        float refitted_error = 0;
        for (size_t b = 0; b < subs_.size(); ++b) refitted_error += choose_level(b);
        return recovered(refitted_error < error ? result() : first);
    }

  private:
    void emphasize(std::span<const float, 256> values, std::span<const float, 256> weights) {
        std::copy(weights.begin(), weights.end(), weights_.begin());
        float mean = 0;
        for (const float value : values) mean += value * value / 256;
        if (shape_.offsets.size() > 1 || mean < magnitude_min * magnitude_min) return;
        for (size_t i = 0; i < weights_.size(); ++i) {
            weights_[i] *= std::sqrt(1 + emphasis * values[i] * values[i] / mean);
        }
    }

    // The finished block with the scale that takes back what least squares lost.
    GridSuperBlock recovered(GridSuperBlock block) const {
        const size_t in_sub = size_t(shape_.sub_size / shape_.index.size());
        double square = 0;
        Sums all;
        for (size_t b = 0; b < subs_.size(); ++b) {
            Coded coded;
            for (size_t k = 0; k < in_sub; ++k) {
                coded.rows[k] = block.rows[b * in_sub + k];
                coded.offsets[k] = block.offsets[b * in_sub + k];
            }
            add(all, subs_[b].sums(coded), block.levels[b]);
            square += subs_[b].square();
        }
        if (all.square <= 0 || all.product <= 0) return block;
        const double loss = square * all.square / (all.product * all.product);  // at least 1
        const double scale = all.product / all.square * std::pow(loss, recovery);
        block.scale = to_finite_f16(float(scale * double(shape_.denominator)));
        return block;
    }

    static void add(Sums& all, const Sums& sums, int level) {
        const double factor = 2 * level + 1;
        all.square += factor * factor * sums.square;
        all.product += factor * sums.product;
    }

    float unit() const { return to_f32(scale_) / shape_.denominator; }

    // The level that loses least, with its rows; returns the error.
    float choose_level(size_t b) {
        float scales[16];
        for (int l = 0; l < 16; ++l)
            scales[l] = unit() * float(2 * std::min(l, shape_.level_count - 1) + 1);
        const GridResult result = subs_[b].code(scales);
        const auto least = std::min_element(result.costs, result.costs + 16);
        const auto level = int(least - result.costs);
        coded_[b] = subs_[b].pick(result, level, scales[level]);
        levels_[b] = uint8_t(level);
        return *least;
    }

    void refit() {
        Sums all;
        for (size_t b = 0; b < subs_.size(); ++b) {
            add(all, subs_[b].sums(coded_[b]), levels_[b]);
        }
        if (all.square <= 0 || all.product <= 0) return;
        scale_ = to_finite_f16(float(all.product / all.square) * shape_.denominator);
    }

    GridSuperBlock result() const {
        GridSuperBlock block = {scale_, levels_, {}, {}};
        const size_t in_sub = size_t(shape_.sub_size / shape_.index.size());
        for (size_t row = 0; row < subs_.size() * in_sub; ++row) {
            block.rows[row] = coded_[row / in_sub].rows[row % in_sub];
            block.offsets[row] = coded_[row / in_sub].offsets[row % in_sub];
        }
        return block;
    }

    const GridShape& shape_;
    std::array<float, 256> weights_;
    std::vector<SubBlock> subs_;
    Coded coded_[16];
    f16 scale_ = {};
    std::array<uint8_t, 16> levels_ = {};
};

}  // namespace

GridSuperBlock fit_grid_super_block(const GridShape& shape, std::span<const float, 256> values,
                                    std::span<const float, 256> weights) {
    return SuperBlock(shape, values, weights).run();
}

Signs split_signs(std::span<const float, 256> values, std::span<const float, 256> weights,
                  bool even, std::span<float, 256> magnitudes) {
    Signs signs = {};
    for (size_t i = 0; i < 256; ++i) {
        const bool minus = std::signbit(values[i]);
        signs.bytes[i / 8] |= uint8_t(unsigned(minus) << i % 8);
        magnitudes[i] = std::abs(values[i]);
    }
    for (size_t byte = 0; even && byte < signs.bytes.size(); ++byte) {
        if (std::popcount(signs.bytes[byte]) % 2 == 0) continue;
        size_t least = 8 * byte;
        for (size_t i = least; i < 8 * byte + 8; ++i) {
            if (weights[i] * magnitudes[i] <= weights[least] * magnitudes[least]) least = i;
        }
        signs.bytes[byte] ^= uint8_t(1u << least % 8);
        magnitudes[least] = -magnitudes[least];
    }
    return signs;
}

}  // namespace ingle::quant
