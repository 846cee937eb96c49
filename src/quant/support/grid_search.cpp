#include "quant/support/grid_search.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

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

void GridIndex::sum_half(const float (*costs)[8], float* sums) const {
    const int count = int(levels_.size());
    sums[0] = 0;
    int known = 1;
    for (int k = 0; k < size_ / 2; ++k, known *= count) {
        for (int p = count - 1; p >= 0; --p) {
            for (int i = 0; i < known; ++i) sums[p * known + i] = sums[i] + costs[k][p];
        }
    }
}

GridIndex::Found GridIndex::cheapest(const float (*costs)[8]) const {
    float first[combinations_max], second[combinations_max];
    sum_half(costs, first);
    sum_half(costs + size_ / 2, second);
    Found best = {0, infinity};
    const auto visit = [&](const Group& group) {
        const float base = second[group.second_half];
        if (base >= best.cost) return;
        for (int i = group.first; i < group.last; ++i) {
            const float cost = base + first[entries_[size_t(i)].first_half];
            if (cost < best.cost) best = {entries_[size_t(i)].row, cost};
        }
    };
    // The most promising group first: it spares most of the others.
    const Group* promising = &groups_[0];
    for (const Group& group : groups_) {
        if (second[group.second_half] < second[promising->second_half]) promising = &group;
    }
    visit(*promising);
    for (const Group& group : groups_) visit(group);
    return best;
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
        : shape_(shape), values_(values), weights_(weights) {}

    // The rows that cost least at this scale.
    Coded code(float scale) const {
        if (shape_.offset_by_row) return code(scale, 0, shape_.offsets.size());
        Coded best;
        for (size_t o = 0; o < shape_.offsets.size(); ++o) {
            const Coded coded = code(scale, o, o + 1);
            if (coded.error < best.error) best = coded;
        }
        return best;
    }

    // Several scales tried, each fitted to the rows it gave.
    Coded fit() const {
        float peak = 0;
        for (const float value : values_) peak = std::max(peak, std::abs(value));
        Coded best;
        if (peak < magnitude_min) return best;
        const auto try_scale = [&](float scale) {
            const Coded coded = refitted(code(scale));
            if (coded.error < best.error) best = coded;
        };
        const auto levels = shape_.index.levels();
        const float largest = levels.back() + shape_.offsets.back();
        for (const float part : {0.65f, 0.75f, 0.85f, 0.95f, 1.05f, 1.15f, 1.3f}) {
            try_scale(peak / (largest * part));
        }
        if (levels.front() > 0) try_scale(peak / levels.front());
        try_scale(best.scale);
        return best;
    }

    // sum(weight * value^2)
    double square() const {
        double total = 0;
        for (size_t i = 0; i < values_.size(); ++i) {
            total += double(weights_[i]) * values_[i] * values_[i];
        }
        return total;
    }

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
    Coded code(float scale, size_t first_offset, size_t last_offset) const {
        Coded result;
        result.scale = scale;
        result.error = 0;
        const size_t size = size_t(shape_.index.size());
        for (size_t first = 0; first < values_.size(); first += size) {
            GridIndex::Found best = {0, infinity};
            for (size_t o = first_offset; o < last_offset; ++o) {
                const auto found = cheapest(first, scale, shape_.offsets[o]);
                if (found.cost >= best.cost) continue;
                best = found;
                result.offsets[first / size] = uint8_t(o);
            }
            result.rows[first / size] = uint16_t(best.row);
            result.error += best.cost;
        }
        return result;
    }

    GridIndex::Found cheapest(size_t first, float scale, float offset) const {
        float costs[8][8];
        const auto levels = shape_.index.levels();
        for (size_t k = 0; k < size_t(shape_.index.size()); ++k) {
            for (size_t p = 0; p < levels.size(); ++p) {
                const float difference = scale * (levels[p] + offset) - values_[first + k];
                costs[k][p] = weights_[first + k] * difference * difference;
            }
        }
        return shape_.index.cheapest(costs);
    }

    Coded refitted(Coded coded) const {
        const Sums fit = sums(coded);
        if (fit.square <= 0 || fit.product <= 0) return coded;
        coded.scale = float(fit.product / fit.square);
        coded.error = float(square() - fit.product * fit.product / fit.square);
        return coded;
    }

    const GridShape& shape_;
    std::span<const float> values_;
    std::span<const float> weights_;
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

    // The nearest level and its neighbours, with the rows that cost least; returns the error.
    float choose_level(size_t b) {
        const float ratio = coded_[b].scale * inverse_of(unit());
        const int level = round_code((ratio - 1) / 2, 0, shape_.level_count - 1);
        const float wanted = coded_[b].scale;
        Coded best;
        const int last = std::min(level + 1, shape_.level_count - 1);
        for (int l = std::max(level - 1, 0); l <= last; ++l) {
            const Coded coded = subs_[b].code(unit() * float(2 * l + 1));
            if (coded.error >= best.error) continue;
            best = coded;
            levels_[b] = uint8_t(l);
        }
        best.scale = wanted;
        coded_[b] = best;
        return best.error;
    }

    void refit() {
        Sums all;
        for (size_t b = 0; b < subs_.size(); ++b) {
            add(all, subs_[b].sums(coded_[b]), levels_[b]);
        }
        if (all.square <= 0 || all.product <= 0) return;
        scale_ = to_finite_f16(float(all.product / all.square) * shape_.denominator);
        for (size_t b = 0; b < subs_.size(); ++b) {
            coded_[b].scale = unit() * float(2 * levels_[b] + 1);
        }
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
