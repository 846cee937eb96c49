// Every weight format, on every instruction set, multiplies as if the weights had first been
// decoded to f32.
#include "backend/cpu/gemm/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "backend/cpu/matrices.h"

namespace ingle::cpu::test {

namespace {

// Activations that 8 bits hold exactly: integers up to 127 times a power of two for each block of
// 32.
std::vector<float> exact_activations(int64_t tokens, int64_t columns, Random& random) {
    std::vector<float> x(size_t(tokens * columns), 0.0f);
    for (int64_t token = 0; token < tokens; ++token)
        for (int64_t k = 0; k < columns; ++k) {
            const int exponent = int(k / 32 + token) % 7 - 3;
            const int code = k % 32 == 5 ? 127 : int(random.below(255)) - 127;
            x[size_t(token * columns + k)] = std::ldexp(float(code), exponent);
        }
    return x;
}

// sum(w x) in double, and the sum of magnitudes that bounds its f32 rounding.
struct Expected {
    double value = 0, magnitude = 0;
};
Expected dot(const Weights& weights, int64_t row, const float* x) {
    Expected sum;
    const int64_t columns = weights.packed.columns;
    for (int64_t k = 0; k < columns; ++k) {
        const double product = double(weights.values[size_t(row * columns + k)]) * double(x[k]);
        sum.value += product;
        sum.magnitude += std::abs(product);
    }
    return sum;
}

}  // namespace

TEST(Matmul, exact_activations_give_the_product_of_the_decoded_weights_up_to_f32_rounding) {
    Random random(1);
    for (const Case& test : all_cases()) {
        for (const int64_t wanted : {1, 64, 300, 4500})
            for (const int64_t tokens : {1, 2, 5, 23}) {
                const int64_t rows = 37, columns = test.columns(wanted);
                const Weights weights =
                    random_weights(*test.format, test.kernel(), rows, columns, random);
                const std::vector<float> x = exact_activations(tokens, columns, random);
                const std::vector<float> out = multiply(weights.packed, x.data(), tokens);
                double worst = 0;
                for (int64_t token = 0; token < tokens; ++token)
                    for (int64_t row = 0; row < rows; ++row) {
                        const Expected expected = dot(weights, row, x.data() + token * columns);
                        // Formats with a minimum split each weight into two parts of up to 3 times
                        // its size.
                        const double steps = double(columns) + 4;
                        const double bound = 3 * steps * 0x1p-24 * expected.magnitude + 1e-30;
                        const double error =
                            std::abs(double(out[size_t(token * rows + row)]) - expected.value);
                        worst = std::max(worst, error / bound);
                    }
                EXPECT_LE(worst, 1.0)
                    << test.name() << ", " << columns << " columns, " << tokens << " tokens";
            }
    }
}

TEST(Matmul, any_activations_stay_within_the_rounding_of_their_codes) {
    Random random(2);
    for (const Case& test : all_cases())
        for (const int planes : {1, 2}) {
            const int64_t rows = 40, columns = test.columns(600), tokens = 9;
            const Weights weights =
                random_weights(*test.format, test.kernel(), rows, columns, random);
            const std::vector<float> x = random_floats(tokens * columns, random);
            Extras extras;
            extras.planes = planes;
            const std::vector<float> out = multiply(weights.packed, x.data(), tokens, extras);
            double square_error = 0, square_bound = 0;
            for (int64_t token = 0; token < tokens; ++token)
                for (int64_t row = 0; row < rows; ++row) {
                    const float* const a = x.data() + token * columns;
                    const Expected expected = dot(weights, row, a);
                    // Rounding errors of the codes are independent, at most 0.51 steps, each
                    // weighted by its weight.
                    double variance = 0;
                    for (int64_t k = 0; k < columns; ++k) {
                        float peak = 0;
                        for (int64_t i = k / 32 * 32; i < std::min(columns, k / 32 * 32 + 32); ++i)
                            peak = std::max(peak, std::abs(a[i]));
                        const double step = double(peak) / 127 * (planes == 1 ? 1 : 0.51 / 127);
                        const double weight = double(weights.values[size_t(row * columns + k)]);
                        variance += step * step / 12 * weight * weight;
                    }
                    const double error = double(out[size_t(token * rows + row)]) - expected.value;
                    const double rounding = double(columns) * 0x1p-24 * expected.magnitude;
                    square_error += error * error;
                    square_bound += variance + rounding * rounding;
                }
            // 360 outputs: their mean square error is within a factor 1.4 of its expectation.
            EXPECT_LE(square_error, 1.4 * square_bound) << test.name() << ", planes " << planes;
        }
}

TEST(Matmul, a_row_is_the_same_bits_in_every_batch_and_at_every_split) {
    Random random(3);
    for (const Case& test : all_cases())
        for (int round = 0; round < 4; ++round) {
            const int64_t rows = 1 + random.below(90);
            const int64_t columns = test.columns(1 + random.below(round == 0 ? 5000 : 700));
            const int planes = 1 + round % 2;
            const int64_t tokens = 70;
            const Weights weights =
                random_weights(*test.format, test.kernel(), rows, columns, random);
            const std::vector<float> x = random_floats(tokens * columns, random);
            Extras extras;
            extras.planes = planes;
            std::vector<float> alone;
            for (int64_t token = 0; token < tokens; ++token) {
                const auto row = multiply(weights.packed, x.data() + token * columns, 1, extras);
                alone.insert(alone.end(), row.begin(), row.end());
            }
            for (const int64_t batch : {2, 3, 4, 5, 6, 7, 8, 12, 13, 16, 31, 64, 70}) {
                const int64_t first = batch == tokens ? 0 : random.below(uint32_t(tokens - batch));
                const auto out =
                    multiply(weights.packed, x.data() + first * columns, batch, extras);
                EXPECT_EQ(std::memcmp(out.data(), alone.data() + first * rows, out.size() * 4), 0)
                    << test.name() << ": " << rows << " rows, " << columns << " columns, tokens "
                    << first << " to " << first + batch;
            }
        }
}

TEST(Matmul, long_batches_are_cut_into_pieces_that_change_nothing) {
    Random random(4);
    for (const Case& test : all_cases()) {
        const int64_t rows = 33, columns = test.columns(64), tokens = 700;
        const Weights weights = random_weights(*test.format, test.kernel(), rows, columns, random);
        const std::vector<float> x = random_floats(tokens * columns, random);
        const auto out = multiply(weights.packed, x.data(), tokens);
        for (const int64_t token : {0, 251, 252, 503, 504, 699}) {
            const auto alone = multiply(weights.packed, x.data() + token * columns, 1);
            EXPECT_EQ(std::memcmp(out.data() + token * rows, alone.data(), alone.size() * 4), 0)
                << test.name() << ", token " << token;
        }
    }
}

TEST(Matmul, instruction_sets_agree_up_to_f32_rounding) {
    Random random(5);
    for (const quant::FormatInfo& format : quant::all_formats()) {
        const Case shape = {&format, Isa::baseline, false};
        const int64_t rows = 50, columns = shape.columns(1000), tokens = 11;
        const auto file = random_rows(format, rows, columns, random);
        const std::vector<float> x = random_floats(tokens * columns, random);
        const Weights plain(format, find_kernel(format, Isa::baseline), rows, columns, file);
        const auto expected = multiply(plain.packed, x.data(), tokens);
        for (const Isa isa : supported_isas()) {
            const Weights fast(format, find_kernel(format, isa), rows, columns, file);
            const auto out = multiply(fast.packed, x.data(), tokens);
            double worst = 0;
            for (int64_t token = 0; token < tokens; ++token)
                for (int64_t row = 0; row < rows; ++row) {
                    const Expected sum = dot(plain, row, x.data() + token * columns);
                    const size_t i = size_t(token * rows + row);
                    const double bound =
                        6 * (double(columns) + 4) * 0x1p-24 * sum.magnitude + 1e-30;
                    worst = std::max(worst, std::abs(double(out[i]) - double(expected[i])) / bound);
                }
            EXPECT_LE(worst, 1.0) << format.name << " on " << to_string(isa);
        }
    }
}

TEST(Matmul, the_factor_of_the_weights_multiplies_products_and_rows) {
    Random random(10);
    for (const Case& test : all_cases())
        for (const int64_t tokens : {1, 20}) {
            const int64_t rows = 21, columns = test.columns(96);
            Weights weights = random_weights(*test.format, test.kernel(), rows, columns, random);
            const std::vector<float> x = random_floats(tokens * columns, random);
            const std::vector<float> bias = random_floats(rows, random);
            Extras extras;
            const auto plain = multiply(weights.packed, x.data(), tokens, extras);
            weights.packed.factor = 0.37f;
            extras.bias = bias.data();
            const auto out = multiply(weights.packed, x.data(), tokens, extras);
            for (size_t i = 0; i < out.size(); ++i)
                ASSERT_EQ(out[i], plain[i] * 0.37f + bias[i % size_t(rows)]) << test.name();
            std::vector<float> row(size_t(columns), 0.0f);
            decode_row(weights.packed, 20, row.data());
            for (size_t k = 0; k < row.size(); ++k)
                ASSERT_EQ(row[k], weights.values[size_t(20 * columns) + k] * 0.37f) << test.name();
        }
}

TEST(Matmul, bias_is_added_first_and_then_the_residual_which_may_be_the_output) {
    Random random(6);
    for (const Case& test : all_cases())
        for (const int64_t tokens : {1, 3, 20}) {
            const int64_t rows = 21, columns = test.columns(96), stride = rows + 3;
            const Weights weights =
                random_weights(*test.format, test.kernel(), rows, columns, random);
            const std::vector<float> x = random_floats(tokens * columns, random);
            const std::vector<float> bias = random_floats(rows, random);
            const auto plain = multiply(weights.packed, x.data(), tokens);
            const std::vector<float> before = random_floats(tokens * stride, random);
            std::vector<float> out = before;
            const Filled filled(test.kernel(), 1, columns, tokens, x.data());
            const MatmulJob job = {&weights.packed, &filled.view, out.data(), stride,
                                   bias.data(),     out.data(),   stride};
            const Bytes scratch(scratch_bytes(test.isa));
            for (int64_t task = 0; task < task_count(job); ++task)
                run_task(job, task, {scratch.get()});
            for (int64_t token = 0; token < tokens; ++token)
                for (int64_t r = 0; r < stride; ++r) {
                    const float residual = before[size_t(token * stride + r)];
                    const float sum =
                        r < rows ? (plain[size_t(token * rows + r)] + bias[size_t(r)]) + residual
                                 : residual;  // between the rows nothing is written
                    ASSERT_EQ(out[size_t(token * stride + r)], sum) << test.name();
                }
        }
}

TEST(Matmul, several_products_on_several_threads_share_one_grid) {
    Random random(7);
    for (const Case& test : all_cases()) {
        const int64_t columns = test.columns(512), tokens = 30;
        const Weights q = random_weights(*test.format, test.kernel(), 100, columns, random);
        const Weights k = random_weights(*test.format, test.kernel(), 1, columns, random);
        const Weights v = random_weights(*test.format, test.kernel(), 50, columns, random);
        const std::vector<float> x = random_floats(tokens * columns, random);
        const Filled filled(test.kernel(), 1, columns, tokens, x.data());
        std::vector<float> outs[3];
        MatmulJob jobs[3];
        const Weights* const weights[] = {&q, &k, &v};
        for (int i = 0; i < 3; ++i) {
            outs[i].resize(size_t(tokens * weights[i]->packed.rows));
            jobs[i] = {&weights[i]->packed, &filled.view, outs[i].data(), weights[i]->packed.rows};
        }
        ThreadPool pool(3);
        TaskCounter counter;
        const Bytes scratch(3 * scratch_bytes(test.isa));
        pool.run([&](int thread) {
            run_tasks(jobs, counter, {scratch.get() + size_t(thread) * scratch_bytes(test.isa)});
        });
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(outs[i], multiply(weights[i]->packed, x.data(), tokens)) << test.name();
    }
}

TEST(Matmul, not_a_number_and_infinity_spoil_their_own_token_only) {
    Random random(8);
    for (const Case& test : all_cases()) {
        const int64_t rows = 20, columns = test.columns(128), tokens = 9;
        const Weights weights = random_weights(*test.format, test.kernel(), rows, columns, random);
        std::vector<float> x = random_floats(tokens * columns, random);
        const auto clean = multiply(weights.packed, x.data(), tokens);
        x[size_t(2 * columns)] = NAN;
        x[size_t(5 * columns + columns - 1)] = INFINITY;
        const auto out = multiply(weights.packed, x.data(), tokens);
        for (int64_t token = 0; token < tokens; ++token)
            for (int64_t row = 0; row < rows; ++row) {
                const size_t i = size_t(token * rows + row);
                if (token == 2 || token == 5)
                    EXPECT_FALSE(std::isfinite(out[i])) << test.name();
                else
                    EXPECT_EQ(out[i], clean[i]) << test.name();
            }
    }
}

TEST(Matmul, no_tokens_are_no_tasks) {
    Random random(9);
    for (const Case& test : all_cases()) {
        const Weights weights =
            random_weights(*test.format, test.kernel(), 5, test.columns(32), random);
        EXPECT_TRUE(multiply(weights.packed, nullptr, 0).empty()) << test.name();
    }
}

}  // namespace ingle::cpu::test
