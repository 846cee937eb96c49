// Experts: a row goes through the gated feed-forwards that a router chose for it, and their results are added.
//
//   out[r] = sum_k weight_k * down[e_k] (f(gate[e_k] x[r]) * (up[e_k] x[r]))  (+ residual[r]),   k in the router's order
//
// in: x [rows, width], chosen [rows, 2 * used] as route.h gives it, and with `residual` a third input [rows, width].
// weights: the matrices gate, up and down, either three with those of all experts below each other
// [experts * rows, columns], or the gates of all experts, then the ups, then the downs. out [rows, width].
#pragma once

#include <vector>

#include "ops/linear.h"
#include "ops/support/activation.h"

namespace ingle::ops {

// The squares of what meets an expert's matrices, added column by column: see observe.h.
struct ExpertSquares {
    std::vector<double> squares;  // [experts][columns]
    std::vector<int64_t> rows;    // [experts]

    void add(int64_t expert, const float* x) {
        const size_t columns = squares.size() / rows.size();
        double* const sums = squares.data() + size_t(expert) * columns;
        for (size_t c = 0; c < columns; ++c) sums[c] += double(x[c]) * double(x[c]);
        ++rows[size_t(expert)];
    }
};

struct Experts {
    static constexpr std::string_view name = "experts";
    int64_t experts = 0;
    int64_t used = 0;
    Activation function = Activation::silu;
    bool residual = false;
    // If somebody wants to know what meets the matrices: of gate and up, and of down. In host memory.
    ExpertSquares* observed_input = nullptr;
    ExpertSquares* observed_hidden = nullptr;

    // Where the rows of one expert's matrix lie; kind 0 is gate, 1 up, 2 down.
    struct Place {
        size_t weight;
        int64_t first_row;
        int64_t rows;
    };
    // `rows(i)` gives the rows of weight i of `count`.
    template <class RowsOf>
    Place place(size_t count, size_t kind, int64_t expert, RowsOf&& rows_of) const {
        if (count == 3) {
            const int64_t rows = rows_of(kind) / experts;
            return {kind, expert * rows, rows};
        }
        const size_t weight = kind * size_t(experts) + size_t(expert);
        return {weight, 0, rows_of(weight)};
    }

    // The expert that a number of `chosen` names; no number leads out of the weights.
    int64_t expert_of(float number) const {
        return number >= 0 && number < float(experts) ? int64_t(number) : 0;
    }

    static void reference(const Experts& op, const Arguments& a, RowRange rows) {
        std::vector<float> gate, hidden, result;
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            const float* const x = a.in[0].row(r).data();
            const auto chosen = a.in[1].row(r);
            const auto out = a.out[0].row(r);
            std::vector<float> sum(out.size(), 0.0f);
            for (int64_t k = 0; k < op.used; ++k) {
                const int64_t expert = op.expert_of(chosen[size_t(k)]);
                multiply(op, a, 0, expert, x, gate);
                multiply(op, a, 1, expert, x, hidden);
                for (size_t i = 0; i < hidden.size(); ++i) hidden[i] = apply(op.function, gate[i]) * hidden[i];
                multiply(op, a, 2, expert, hidden.data(), result);
                if (op.observed_input != nullptr) op.observed_input->add(expert, x);
                if (op.observed_hidden != nullptr) op.observed_hidden->add(expert, hidden.data());
                const float weight = chosen[size_t(op.used + k)];
                for (size_t j = 0; j < sum.size(); ++j) sum[j] += weight * result[j];
            }
            for (size_t j = 0; j < sum.size(); ++j)
                out[j] = op.residual ? sum[j] + a.in[2].row(r)[j] : sum[j];
        }
    }

  private:
    static void multiply(const Experts& op, const Arguments& a, size_t kind, int64_t expert, const float* x,
                         std::vector<float>& out) {
        const Place place = op.place(a.weights.size(), kind, expert,
                                     [&](size_t i) { return a.weights[i]->rows; });
        const WeightSource& weight = *a.weights[place.weight];
        std::vector<float> row(size_t(weight.columns));
        out.resize(size_t(place.rows));
        for (int64_t j = 0; j < place.rows; ++j) {
            weight.decode_row(place.first_row + j, row.data());
            out[size_t(j)] = Linear::dot(row.data(), x, weight.columns);
        }
    }
};

}  // namespace ingle::ops
