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

// How many ways to make the number of minus signs even are tried.
constexpr int variants_max = 4;

// The values that rows are found for: as they are, or without their signs. Where the number of minus
// signs has to be even, one of eight values may have the wrong sign: its magnitude is negative. By
// variant that is the value that matters least, the next one, and so on.
struct Split {
    int variants = 1;
    float values[variants_max][256];
    std::array<uint8_t, 32> signs[variants_max];  // bit k of byte j: weight 8j + k is negative
};

void make_even(Split& split, size_t byte, std::span<const float, 256> weights) {
    const float* const values = split.values[0] + 8 * byte;
    float costs[8];
    for (size_t k = 0; k < 8; ++k) costs[k] = weights[8 * byte + k] * values[k];
    unsigned taken = 0;
    for (int v = 0; v < split.variants; ++v) {
        size_t least = 8;
        for (size_t k = 0; k < 8; ++k) {
            if ((taken >> k & 1) != 0) continue;
            if (least == 8 || costs[k] <= costs[least]) least = k;
        }
        taken |= 1u << least;
        split.signs[v][byte] ^= uint8_t(1u << least);
        split.values[v][8 * byte + least] *= -1;
    }
}

Split split_signs(const EncodeBlock<256>& in, GridSigns kept, int variants) {
    Split split = {};
    split.variants = variants;
    std::copy(in.values, in.values + 256, split.values[0]);
    if (kept == GridSigns::in_rows) return split;
    for (size_t i = 0; i < 256; ++i) {
        const bool minus = std::signbit(in.values[i]);
        split.signs[0][i / 8] |= uint8_t(unsigned(minus) << i % 8);
        split.values[0][i] = std::abs(in.values[i]);
    }
    for (int v = 1; v < variants; ++v) {
        split.signs[v] = split.signs[0];
        std::copy(split.values[0], split.values[0] + 256, split.values[v]);
    }
    if (kept == GridSigns::any) return split;
    for (size_t byte = 0; byte < 32; ++byte)
        if (std::popcount(split.signs[0][byte]) % 2 != 0) make_even(split, byte, in.weights);
    return split;
}

// Rows and offsets of a sub-block, and how well they do.
struct Coded {
    float scale = 0;
    float error = infinity;
    uint16_t rows[8] = {};
    uint8_t offsets[8] = {};
    uint8_t variants[4] = {};  // of Split, by eight weights
};

// Sums of a least squares fit: scale = product / square.
struct Sums {
    double square = 0, product = 0;
};

// What sixteen scales gave.
struct Trials {
    GridResult found;
    uint8_t variants[4][16] = {};
};

class SubBlock {
  public:
    SubBlock(const GridShape& shape, const Split& split, std::span<const float, 256> weights,
             size_t first)
        : shape_(shape), tables_(shape.index.tables()), size_(size_t(shape.sub_size)) {
        for (int v = 0; v < split.variants; ++v) values_[v] = split.values[v] + first;
        weights_ = weights.data() + first;
        for (size_t i = 0; i < size_; ++i)
            total_ += double(weights_[i]) * values_[0][i] * values_[0][i];
    }

    // The rows that cost least at each of sixteen scales, with the best of these variants.
    Trials code(const float (&scales)[16], int variants) const {
        Trials trials;
        code_variant(scales, 0, trials.found);
        for (int v = 1; v < variants; ++v) {
            GridResult other;
            code_variant(scales, v, other);
            for (size_t eight = 0; eight < size_ / 8; ++eight)
                take_better(trials, other, eight, uint8_t(v));
        }
        if (variants > 1) add_up(trials.found);
        return trials;
    }

    // One trial of those.
    Coded pick(const Trials& trials, int trial, float scale) const {
        Coded coded;
        coded.scale = scale;
        coded.error = trials.found.costs[trial];
        for (size_t row = 0; row < rows(); ++row) {
            coded.rows[row] = trials.found.rows[row][trial];
            coded.offsets[row] = trials.found.offsets[row][trial];
        }
        for (size_t eight = 0; eight < size_ / 8; ++eight)
            coded.variants[eight] = trials.variants[eight][trial];
        return coded;
    }

    // Sixteen scales tried, each fitted to the rows it gave.
    Coded fit() const {
        float peak = 0;
        for (size_t i = 0; i < size_; ++i) peak = std::max(peak, std::abs(values_[0][i]));
        Coded best;
        if (peak < magnitude_min) return best;
        const float largest = shape_.index.levels().back() + shape_.offsets.back();
        float scales[16];
        for (int j = 0; j < 15; ++j) scales[j] = peak / (largest * (0.6f + 0.05f * float(j)));
        // All on the smallest number, if it is none of both signs.
        const float least = shape_.index.levels().front();
        scales[15] = least > 0 ? peak / least : scales[7];
        const Trials trials = code(scales, 1);
        for (int j = 0; j < 16; ++j) {
            const Coded coded = refitted(pick(trials, j, scales[j]));
            if (coded.error < best.error) best = coded;
        }
        return best;
    }

    // sum(weight * value^2)
    double square() const { return total_; }

    Sums sums(const Coded& coded) const {
        Sums result;
        const auto size = size_t(tables_.size);
        for (size_t i = 0; i < size_; ++i) {
            const size_t row = i / size;
            const float value = values_[coded.variants[i / 8]][i];
            const double level = double(shape_.index.number(coded.rows[row], int(i % size))) +
                                 double(shape_.offsets[coded.offsets[row]]);
            result.square += weights_[i] * level * level;
            result.product += weights_[i] * level * value;
        }
        return result;
    }

  private:
    size_t rows() const { return size_ / size_t(tables_.size); }

    void code_variant(const float (&scales)[16], int variant, GridResult& result) const {
        search_kernels().grid(tables_,
                              {values_[variant], weights_, int(size_), scales,
                               shape_.offsets.data(), int(shape_.offsets.size()),
                               shape_.offset_by_row},
                              result);
    }

    // The rows of eight weights from another variant, for the trials in which they cost less.
    void take_better(Trials& trials, const GridResult& other, size_t eight, uint8_t variant) const {
        const size_t in_eight = 8 / size_t(tables_.size), first = eight * in_eight;
        for (size_t j = 0; j < 16; ++j) {
            float cost = 0, other_cost = 0;
            for (size_t row = first; row < first + in_eight; ++row) {
                cost += trials.found.row_costs[row][j];
                other_cost += other.row_costs[row][j];
            }
            if (other_cost >= cost) continue;
            trials.variants[eight][j] = variant;
            for (size_t row = first; row < first + in_eight; ++row) {
                trials.found.row_costs[row][j] = other.row_costs[row][j];
                trials.found.rows[row][j] = other.rows[row][j];
                trials.found.offsets[row][j] = other.offsets[row][j];
            }
        }
    }
    void add_up(GridResult& result) const {
        for (size_t j = 0; j < 16; ++j) {
            result.costs[j] = 0;
            for (size_t row = 0; row < rows(); ++row) result.costs[j] += result.row_costs[row][j];
        }
    }

    Coded refitted(Coded coded) const {
        const Sums fit = sums(coded);
        if (fit.square <= 0 || fit.product <= 0) return coded;
        coded.scale = float(fit.product / fit.square);
        coded.error = float(total_ - fit.product * fit.product / fit.square);
        return coded;
    }

    const GridShape& shape_;
    GridTables tables_;
    size_t size_;
    const float* values_[variants_max] = {};
    const float* weights_;
    double total_ = 0;
};

// All sub-blocks coded with one f16 scale.
struct Attempt {
    f16 scale = {};
    float error = infinity;
    std::array<uint8_t, 16> levels = {};
    Coded coded[16];
};

class SuperBlock {
  public:
    SuperBlock(const GridShape& shape, const EncodeBlock<256>& in)
        : shape_(shape),
          effort_(in.effort),
          split_(split_signs(in, shape.signs, variants_for(shape, in.effort))) {
        emphasize(in.weights);
        for (size_t first = 0; first < 256; first += size_t(shape.sub_size))
            subs_.emplace_back(shape, split_, weights_, first);
    }
    SuperBlock(const SuperBlock&) = delete;
    SuperBlock& operator=(const SuperBlock&) = delete;

    GridSuperBlock run() {
        float largest = 0;
        for (const SubBlock& sub : subs_) largest = std::max(largest, sub.fit().scale);
        f16 scale = to_finite_f16(largest * shape_.denominator /
                                  float(2 * shape_.level_count - 1));
        if (scale.bits == 0 && largest > 0) scale.bits = 1;
        Attempt best = attempt(scale, 1);
        keep_better(best, attempt(refitted(best), 1));
        if (effort_ > effort_min) refine(best);
        best.scale = recovered(best);
        return result(best);
    }

  private:
    static int variants_for(const GridShape& shape, int effort) {
        return shape.signs != GridSigns::even || effort == 1 ? 1 : effort == 2 ? 2 : variants_max;
    }

    void emphasize(std::span<const float, 256> weights) {
        const auto& values = split_.values[0];
        std::copy(weights.begin(), weights.end(), weights_.begin());
        float mean = 0;
        for (const float value : values) mean += value * value / 256;
        if (shape_.offsets.size() > 1 || mean < magnitude_min * magnitude_min) return;
        for (size_t i = 0; i < weights_.size(); ++i) {
            weights_[i] *= std::sqrt(1 + emphasis * values[i] * values[i] / mean);
        }
    }

    static bool keep_better(Attempt& best, const Attempt& other) {
        if (!(other.error < best.error)) return false;
        best = other;
        return true;
    }

    // For every sub-block the level that loses least, with its rows.
    Attempt attempt(f16 scale, int variants) const {
        Attempt made;
        made.scale = scale;
        made.error = 0;
        const float unit = to_f32(scale) / shape_.denominator;
        float scales[16];
        for (int l = 0; l < 16; ++l)
            scales[l] = unit * float(2 * std::min(l, shape_.level_count - 1) + 1);
        for (size_t b = 0; b < subs_.size(); ++b) {
            const Trials trials = subs_[b].code(scales, variants);
            const float* const costs = trials.found.costs;
            const auto level = int(std::min_element(costs, costs + 16) - costs);
            made.coded[b] = subs_[b].pick(trials, level, scales[level]);
            made.levels[b] = uint8_t(level);
            made.error += costs[level];
        }
        return made;
    }

    // More scales, some way from the best one; then more choices of signs.
    void refine(Attempt& best) const {
        const float around = to_f32(best.scale);
        const int starts = effort_ == 2 ? 5 : 16;
        constexpr float width = 0.3f;
        for (int start = 1; start < starts; ++start) {
            const float turn = 0.5f + 0.618034f * float(start);
            const float factor = 1 + width * (turn - std::floor(turn) - 0.5f);
            Attempt made = attempt(to_finite_f16(around * factor), 1);
            if (effort_ == effort_max) keep_better(made, attempt(refitted(made), 1));
            keep_better(best, made);
        }
        constexpr int rounds_max = 3;
        for (int round = 0; round < rounds_max; ++round)
            if (!keep_better(best, attempt(refitted(best), split_.variants))) break;
    }

    Sums sums(const Attempt& made) const {
        Sums all;
        for (size_t b = 0; b < subs_.size(); ++b) {
            const Sums of_sub = subs_[b].sums(made.coded[b]);
            const double factor = 2 * made.levels[b] + 1;
            all.square += factor * factor * of_sub.square;
            all.product += factor * of_sub.product;
        }
        return all;
    }

    // The scale that fits rows and levels as they are best.
    f16 refitted(const Attempt& made) const {
        const Sums all = sums(made);
        if (all.square <= 0 || all.product <= 0) return made.scale;
        return to_finite_f16(float(all.product / all.square) * shape_.denominator);
    }

    // The scale that takes back what least squares lost.
    f16 recovered(const Attempt& made) const {
        double square = 0;
        for (const SubBlock& sub : subs_) square += sub.square();
        const Sums all = sums(made);
        if (all.square <= 0 || all.product <= 0) return made.scale;
        const double loss = square * all.square / (all.product * all.product);  // at least 1
        const double scale = all.product / all.square * std::pow(loss, recovery);
        return to_finite_f16(float(scale * double(shape_.denominator)));
    }

    GridSuperBlock result(const Attempt& made) const {
        GridSuperBlock block = {made.scale, made.levels, {}, {}, {}};
        const size_t in_sub = size_t(shape_.sub_size / shape_.index.size());
        for (size_t row = 0; row < subs_.size() * in_sub; ++row) {
            block.rows[row] = made.coded[row / in_sub].rows[row % in_sub];
            block.offsets[row] = made.coded[row / in_sub].offsets[row % in_sub];
        }
        const size_t eights = size_t(shape_.sub_size) / 8;
        for (size_t eight = 0; eight < block.signs.size(); ++eight) {
            const int variant = made.coded[eight / eights].variants[eight % eights];
            block.signs[eight] = split_.signs[variant][eight];
        }
        return block;
    }

    const GridShape& shape_;
    int effort_;
    Split split_;
    std::array<float, 256> weights_;
    std::vector<SubBlock> subs_;
};

}  // namespace

GridSuperBlock fit_grid_super_block(const GridShape& shape, const EncodeBlock<256>& in) {
    return SuperBlock(shape, in).run();
}

}  // namespace ingle::quant
