// Linear: one or several matrices applied to the same input.
//
//   out[m][r, j] = sum_k weight[m][j, k] * x[r, k]  (+ bias[m][j])  (+ residual[r, j])
//
// in: x [rows, k], and with `residual` (one matrix only) a second input [rows, j].
// weights: pairs (matrix [j, k], bias [j] or null), one pair per output.
#pragma once

#include <algorithm>
#include <array>

#include "ops/support/arguments.h"

namespace ingle::ops {

struct Linear {
    static constexpr std::string_view name = "linear";
    bool residual = false;
    // Its rounding is seen directly, as in the output matrix: kernels that round activations keep twice the bits.
    bool fine = false;

    // Eight running sums in a fixed order: exact enough to judge others by, and vectorizable as it stands.
    static float dot(const float* a, const float* b, int64_t n) {
        std::array<float, 8> sums = {};
        const int64_t whole = n / 8 * 8;
        for (int64_t k = 0; k < whole; k += 8)
            for (int64_t lane = 0; lane < 8; ++lane) sums[size_t(lane)] += a[k + lane] * b[k + lane];
        for (int64_t k = whole; k < n; ++k) sums[size_t(k - whole)] += a[k] * b[k];
        return ((sums[0] + sums[4]) + (sums[1] + sums[5])) +
               ((sums[2] + sums[6]) + (sums[3] + sums[7]));
    }

    // Works on columns [columns.begin, columns.end) of output m for all rows: a weight row is decoded once.
    static void reference_columns(const Linear& op, const Arguments& a, size_t m, RowRange columns) {
        const WeightSource& weight = *a.weights[2 * m];
        const WeightSource* const bias = a.weights[2 * m + 1];
        std::vector<float> row(size_t(weight.columns));
        std::vector<float> bias_row(bias != nullptr ? size_t(weight.rows) : 0);
        if (bias != nullptr) bias->decode_row(0, bias_row.data());
        for (int64_t j = columns.begin; j < columns.end; ++j) {
            weight.decode_row(j, row.data());
            for (int64_t r = 0; r < a.in[0].rows; ++r) {
                float value = dot(row.data(), a.in[0].row(r).data(), weight.columns);
                if (bias != nullptr) value += bias_row[size_t(j)];
                if (op.residual) value += a.in[1].row(r)[size_t(j)];
                a.out[m].row(r)[size_t(j)] = value;
            }
        }
    }

    static void reference(const Linear& op, const Arguments& a, RowRange rows) {
        const int64_t count = rows.end - rows.begin;
        const auto part = [&](auto view) {
            view.data += rows.begin * view.stride;
            view.rows = count;
            return view;
        };
        std::array<ConstMatrix, 2> in = {part(a.in[0]), op.residual ? part(a.in[1]) : ConstMatrix()};
        for (size_t m = 0; m < a.out.size(); ++m) {
            std::array<Matrix, 1> out = {part(a.out[m])};
            Arguments one = a;
            one.in = in;
            one.out = out;
            one.weights = a.weights.subspan(2 * m, 2);
            reference_columns(op, one, 0, {0, a.weights[2 * m]->rows});
        }
    }
};

}  // namespace ingle::ops
