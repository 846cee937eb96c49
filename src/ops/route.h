// Route: which experts a row is sent to, and with what weight.
//
//   p        = softmax(x) or sigmoid(x), over all experts
//   chosen   = the `used` experts with the highest p (+ bias), the highest first, of equal ones the first
//   weight_i = p[chosen_i] (/ sum_j p[chosen_j], if `normalize`) * scale
//
// in: x [rows, experts], what the router says of each; weights: bias [experts] or null.
// out [rows, 2 * used]: the numbers of the chosen experts, then their weights. Where one of x is not a number, so are all
// of the row's weights. (Shazeer et al. 2017; the bias: Wang et al. 2024)
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "ops/support/arguments.h"

namespace ingle::ops {

enum class Gating : uint8_t { softmax, sigmoid };

struct Route {
    static constexpr std::string_view name = "route";
    int64_t used = 0;
    Gating gating = Gating::softmax;
    bool normalize = false;
    float scale = 1;

    // One row. `bias` [experts] or null; `p` and `score` are memory for as many values as x has.
    static void choose(const Route& op, std::span<const float> x, const float* bias, float* p, float* score,
                       float* out) {
        const double total = probabilities(op.gating, x, p);
        for (size_t e = 0; e < x.size(); ++e) score[e] = bias == nullptr ? p[e] : p[e] + bias[e];
        const auto used = size_t(op.used);
        double sum = 0;
        for (size_t k = 0; k < used; ++k) {
            const size_t best = highest(score, x.size(), out, k);
            out[k] = float(best);
            out[used + k] = p[best];
            sum += double(p[best]);
        }
        const double divisor = op.normalize ? std::max(sum, 1e-20) : 1.0;
        for (size_t k = used; k < 2 * used; ++k)
            out[k] = std::isnan(total) ? std::numeric_limits<float>::quiet_NaN()
                                       : float(double(out[k]) / divisor * double(op.scale));
    }

    static void reference(const Route& op, const Arguments& a, RowRange rows) {
        const auto experts = size_t(a.in[0].columns);
        std::vector<float> p(experts), score(experts), bias(experts);
        if (a.weights[0] != nullptr) a.weights[0]->decode_row(0, bias.data());
        for (int64_t r = rows.begin; r < rows.end; ++r)
            choose(op, a.in[0].row(r), a.weights[0] != nullptr ? bias.data() : nullptr, p.data(), score.data(),
                   a.out[0].row(r).data());
    }

  private:
    // Returns their sum.
    static double probabilities(Gating gating, std::span<const float> x, float* p) {
        double total = 0;
        if (gating == Gating::sigmoid) {
            for (size_t e = 0; e < x.size(); ++e) total += double(p[e] = 1 / (1 + std::exp(-x[e])));
            return total;
        }
        const float most = *std::max_element(x.begin(), x.end());
        for (size_t e = 0; e < x.size(); ++e) total += double(p[e] = std::exp(x[e] - most));
        for (size_t e = 0; e < x.size(); ++e) p[e] = float(double(p[e]) / total);
        return total;
    }

    // The first of the highest that is not among chosen[0, count).
    static size_t highest(const float* score, size_t experts, const float* chosen, size_t count) {
        size_t best = experts;
        for (size_t e = 0; e < experts; ++e) {
            if (best != experts && !(score[e] > score[best])) continue;
            if (std::find(chosen, chosen + count, float(e)) == chosen + count) best = e;
        }
        return best;
    }
};

}  // namespace ingle::ops
