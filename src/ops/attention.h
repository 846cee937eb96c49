// Attention: every query head attends to the cached keys of its group and sequence, up to its own position.
//
//   s[t] = softcap(scale * q . k[t]),   t in (position - window, position]
//   out  = sum_t softmax(s)[t] * v[t]           softcap(s) = cap * tanh(s / cap), if cap > 0
//
// in: q [rows, heads * key_dim]; out [rows, heads * value_dim]. window 0 means no window.
// Query head h reads KV head h / (heads / kv_heads). (Vaswani et al. 2017; Ainslie et al. 2023)
#pragma once

#include <algorithm>
#include <cmath>

#include "ops/support/arguments.h"

namespace ingle::ops {

struct Attention {
    static constexpr std::string_view name = "attention";
    int64_t heads = 0;
    int64_t kv_heads = 0;
    int64_t key_dim = 0;
    int64_t value_dim = 0;
    float scale = 1;
    float softcap = 0;
    int64_t window = 0;

    int64_t first_key(int64_t position) const {
        return window > 0 ? std::max<int64_t>(0, position - window + 1) : 0;
    }

    static void reference(const Attention& op, const Arguments& a, RowRange rows) {
        std::vector<double> score;
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            const int64_t position = a.batch->position(a.rows, r);
            const int64_t first = op.first_key(position);
            const KvView kv = a.kv_of(r);
            score.resize(size_t(position + 1 - first));
            for (int64_t head = 0; head < op.heads; ++head) {
                const int64_t kv_head = head / (op.heads / op.kv_heads);
                const float* q = a.in[0].row(r).data() + head * op.key_dim;
                const double total = softmax_scores(op, kv, q, kv_head, first, score);
                float* out = a.out[0].row(r).data() + head * op.value_dim;
                for (int64_t d = 0; d < op.value_dim; ++d) {
                    double sum = 0;
                    for (size_t i = 0; i < score.size(); ++i)
                        sum += score[i] * double(kv.value(kv_head, first + int64_t(i), d));
                    out[d] = float(sum / total);
                }
            }
        }
    }

  private:
    // Fills `score` with exp(s - max) and returns their sum.
    static double softmax_scores(const Attention& op, const KvView& kv, const float* q,
                                 int64_t kv_head, int64_t first, std::vector<double>& score) {
        double highest = -INFINITY;
        for (size_t i = 0; i < score.size(); ++i) {
            double dot = 0;
            for (int64_t d = 0; d < op.key_dim; ++d)
                dot += double(q[d]) * double(kv.key(kv_head, first + int64_t(i), d));
            dot *= double(op.scale);
            if (op.softcap > 0) dot = double(op.softcap) * std::tanh(dot / double(op.softcap));
            score[i] = dot;
            highest = std::max(highest, dot);
        }
        double total = 0;
        for (double& s : score) total += s = std::exp(s - highest);
        return total;
    }
};

}  // namespace ingle::ops
