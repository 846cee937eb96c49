// The block searches: the same blocks on every instruction set, and never worse than what they
// tried.
#include "quant/search/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "base/random.h"

namespace ingle::quant {

namespace {

struct Block {
    float values[256];
    float weights[256];
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
        for (const Block& in : blocks()) {
            for (const AffineShape& shape : {q2_k_shape, q4_k_shape, q5_k_shape})
                ASSERT_TRUE(same_bytes(found.affine(in.values, in.weights, shape),
                                       expected.affine(in.values, in.weights, shape)));
            for (const SignedShape* shape : {&q3_k_shape, &q6_k_shape, &iq4_xs_shape}) {
                ASSERT_TRUE(same_bytes(found.signed_scales(in.values, in.weights, *shape),
                                       expected.signed_scales(in.values, in.weights, *shape)));
                ASSERT_EQ(found.scale(in.values, in.weights, 32, shape->levels),
                          expected.scale(in.values, in.weights, 32, shape->levels));
            }
            ASSERT_TRUE(same_bytes(found.line(in.values, in.weights, 32, 15, magnitude_max),
                                   expected.line(in.values, in.weights, 32, 15, magnitude_max)));
        }
    }
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
        const auto block = search_kernels().affine(in.values, in.weights, q4_k_shape);
        EXPECT_EQ(error_of(block, in, q4_k_shape), 0);
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
        double best = 1e300;
        for (int step = 1; step <= 4000; ++step)
            for (const double sign : {-1.0, 1.0})
                best = std::min(best, error_with(sign * peak / 80 * step / 4000));
        found_total +=
            error_with(double(search_kernels().scale(in.values, in.weights, 32, levels))) / square;
        best_total += best / square;
    }
    EXPECT_LT(found_total, 1.01 * best_total);
}

}  // namespace ingle::quant
