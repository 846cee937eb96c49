// The block searches: the same blocks on every instruction set, and never worse than what they
// tried.
#include "quant/search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "quant/support/grids/iq1_s.h"
#include "quant/support/grids/iq2_xs.h"
#include "quant/support/grids/iq3_s.h"

namespace ingle::quant {

namespace {

struct Block {
    float values[256];
    float weights[256];

    Target target(int count, int effort = effort_min) const {
        return {values, weights, count, effort};
    }
};

// Blocks of every kind: Gaussian, heavy tails, one sign, few values, tiny, large; weights as well.
std::vector<Block> blocks() {
    Random random(21);
    std::vector<Block> all(60);
    for (size_t n = 0; n < all.size(); ++n) {
        const float size = n % 5 == 4 ? 1e-6f : n % 7 == 6 ? 1e5f : 0.05f;
        for (int i = 0; i < 256; ++i) {
            float value = float(random.normal());
            if (n % 3 == 1) value *= std::abs(value) * std::abs(value);
            if (n % 4 == 3) value = std::abs(value) + 1;
            if (n % 10 == 9) value = float(int(value));
            all[n].values[i] = size * value;
            all[n].weights[i] = n % 2 == 0 ? 1 : float(std::exp(random.normal()));
        }
    }
    return all;
}

template <class T>
bool same_bytes(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

double error_of(const AffineSuperBlock& block, const Block& in, const AffineShape& shape) {
    double error = 0;
    for (int i = 0; i < 256; ++i) {
        const int b = i / shape.sub_size;
        const double value = double(to_f32(block.scale)) * block.scales[b] * block.codes[i] -
                             double(to_f32(block.min_scale)) * block.mins[b];
        error += double(in.weights[i]) * std::pow(value - double(in.values[i]), 2);
    }
    return error;
}

}  // namespace

TEST(Search, every_instruction_set_gives_the_same_blocks) {
    const SearchKernels& expected = search_kernels(cpu::Isa::baseline);
    for (const cpu::Isa isa : cpu::supported_isas()) {
        const SearchKernels& found = search_kernels(isa);
        SCOPED_TRACE(cpu::to_string(isa));
        int n = 0;
        for (const Block& in : blocks()) {
            const int effort = effort_min + n++ % effort_max;
            const Target all = in.target(256, effort), some = in.target(32, effort);
            for (const AffineShape& shape : {q2_k_shape, q4_k_shape, q5_k_shape})
                ASSERT_TRUE(same_bytes(found.affine(all, shape), expected.affine(all, shape)));
            for (const SignedShape* shape : {&q3_k_shape, &q6_k_shape, &iq4_xs_shape}) {
                ASSERT_TRUE(same_bytes(found.signed_scales(all, *shape),
                                       expected.signed_scales(all, *shape)));
                ASSERT_TRUE(same_bytes(found.scaled(some, shape->levels),
                                       expected.scaled(some, shape->levels)));
            }
            const Levels& many = q6_k_shape.levels;
            ASSERT_TRUE(same_bytes(found.improved(some, many, to_f16(0.01f)),
                                   expected.improved(some, many, to_f16(0.01f))));
            ASSERT_TRUE(same_bytes(found.line(some, 15), expected.line(some, 15)));
        }
    }
}

// The cost of a row at a scale, in doubles.
template <class Book>
double cost_of(const Book& book, size_t row, double offset, double scale, const float* values,
               const float* weights) {
    double cost = 0;
    for (size_t k = 0; k < Book::size; ++k)
        cost += double(weights[k]) *
                std::pow(scale * (book.at(row, k) + offset) - double(values[k]), 2);
    return cost;
}

template <class Book>
void expect_cheapest_rows(const Book& book, std::vector<float> offsets, bool offset_by_row) {
    const GridIndex index(book);
    const GridTables tables = index.tables();
    constexpr int count = 32;
    const size_t rows = count / Book::size;
    for (const Block& in : blocks()) {
        float scales[16];
        for (int j = 0; j < 16; ++j) scales[j] = 0.001f * float(j + 1) * std::abs(in.values[0]);
        const GridTrials trials = {in.values,      in.weights,          count,        scales,
                                   offsets.data(), int(offsets.size()), offset_by_row};
        GridResult expected;
        search_kernels(cpu::Isa::baseline).grid(tables, trials, expected);
        for (const int j : {0, 7, 15}) {
            double best_total = 1e300;
            for (const float offset : offsets) {
                double total = 0;
                for (size_t r = 0; r < rows; ++r) {
                    double least = 1e300;
                    for (size_t row = 0; row < Book::rows; ++row)
                        least =
                            std::min(least, cost_of(book, row, double(offset), double(scales[j]),
                                                    in.values + r * Book::size,
                                                    in.weights + r * Book::size));
                    total += least;
                }
                best_total = std::min(best_total, total);
            }
            double found = 0;
            for (size_t r = 0; r < rows; ++r)
                found += cost_of(book, expected.rows[r][j], double(offsets[expected.offsets[r][j]]),
                                 double(scales[j]), in.values + r * Book::size,
                                 in.weights + r * Book::size);
            // With an offset for each row it may cost less than with one for all.
            EXPECT_LE(found, best_total * (1 + 1e-5));
            EXPECT_NEAR(double(expected.costs[j]), found, 1e-4 * found + 1e-30);
        }
        for (const cpu::Isa isa : cpu::supported_isas()) {
            GridResult result;
            search_kernels(isa).grid(tables, trials, result);
            for (int j = 0; j < 16; ++j) {
                ASSERT_EQ(result.costs[j], expected.costs[j]) << cpu::to_string(isa);
                for (size_t r = 0; r < rows; ++r) {
                    ASSERT_EQ(result.rows[r][j], expected.rows[r][j]) << cpu::to_string(isa);
                    ASSERT_EQ(result.offsets[r][j], expected.offsets[r][j]);
                }
            }
        }
    }
}

TEST(Search, codebooks_give_the_row_that_costs_least) {
    expect_cheapest_rows(iq3_s_grid, {0}, false);
    expect_cheapest_rows(iq2_xs_grid, {0}, false);
    expect_cheapest_rows(iq1_s_grid, {-0.125f, 0.125f}, false);
    expect_cheapest_rows(iq1_s_grid, {-0.125f, 0.125f}, true);
}

TEST(Search, values_on_a_grid_come_back_exactly) {
    Random random(22);
    for (int round = 0; round < 20; ++round) {
        Block in;
        for (int i = 0; i < 256; ++i) {
            // Every sub-block has codes 0 and 15; scale 0.5 times 1 to 63, minimum 0.25 times 0
            // to 63.
            const int b = i / 32, code = i % 32 == 0 ? 0 : i % 32 == 1 ? 15 : int(random.below(16));
            const int level = b == 0 ? 63 : 10 + 5 * b, min_level = b == 0 ? 63 : 7 * b;
            in.values[i] = 0.5f * float(level * code) - 0.25f * float(min_level);
            in.weights[i] = 1;
        }
        for (const int effort : {1, 2, 3}) {
            const auto block = search_kernels().affine(in.target(256, effort), q4_k_shape);
            EXPECT_EQ(error_of(block, in, q4_k_shape), 0);
        }
    }
}

TEST(Search, a_scale_is_close_to_the_best_of_very_many) {
    const Levels& levels = iq4_xs_shape.levels;
    double found_total = 0, best_total = 0;
    for (const Block& in : blocks()) {
        const auto error_with = [&](double scale) {
            double error = 0;
            for (int i = 0; i < 32; ++i) {
                double least = 1e300;
                for (int j = 0; j < levels.count; ++j)
                    least = std::min(
                        least,
                        std::pow(scale * double(levels.values[j]) - double(in.values[i]), 2));
                error += double(in.weights[i]) * least;
            }
            return error;
        };
        double peak = 0, square = 0;
        for (int i = 0; i < 32; ++i) {
            peak = std::max(peak, std::abs(double(in.values[i])));
            square += double(in.weights[i]) * std::pow(double(in.values[i]), 2);
        }
        if (peak < 1e-3) continue;  // halves would be coarse
        double best = 1e300;
        for (int step = 1; step <= 4000; ++step)
            for (const double sign : {-1.0, 1.0})
                best = std::min(best, error_with(sign * peak / 80 * step / 4000));
        const ScaledBlock block = search_kernels().scaled(in.target(32), levels);
        found_total += error_with(double(to_f32(block.scale))) / square;
        best_total += best / square;
    }
    EXPECT_LT(found_total, 1.01 * best_total);
}

}  // namespace ingle::quant
