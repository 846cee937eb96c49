// Attention: every query head attends to the cached keys of its group and sequence, up to its own position.
//
//   s[t] = softcap(scale * q . k[t]),   t in (position - window, position], and not before first_windowed (batch.h)
//   out  = sum_t softmax(s)[t] * v[t]           softcap(s) = cap * tanh(s / cap), if cap > 0
//
// in: q [rows, heads * key_dim]; out [rows, heads * value_dim]. window 0 means no window.
// Query head h reads KV head h / (heads / kv_heads). (Vaswani et al. 2017; Ainslie et al. 2023)
//
// Where a sequence's tokens have moved since their keys were written (page_table.h), the query turns by as much the other
// way before it meets them: rope knows differences of positions only. weights: frequency [rotary/2] as in rope.h, if
// queries and keys were rotated.
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
    int64_t rotary = 0;        // of queries and keys: the columns of a head that rope turned, 0 if none
    bool interleaved = false;  // their pairs

    int64_t first_key(int64_t position, const SequenceRows& sequence) const {
        return window > 0 ? std::max<int64_t>(sequence.first_windowed, position - window + 1) : 0;
    }

    static void reference(const Attention& op, const Arguments& a, RowRange rows) {
        std::vector<double> score, sum;
        std::vector<float> value(size_t(op.value_dim), 0.0f);
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            const int64_t position = a.batch->position(a.rows, r);
            const int64_t first = op.first_key(position, a.batch->sequence(a.rows, r));
            const KvView kv = a.kv_of(r);
            score.resize(size_t(position + 1 - first));
            for (int64_t head = 0; head < op.heads; ++head) {
                const int64_t kv_head = head / (op.heads / op.kv_heads);
                const float* q = a.in[0].row(r).data() + head * op.key_dim;
                const double total = softmax_scores(op, a, kv, {q, kv_head, position, first}, score);
                sum.assign(size_t(op.value_dim), 0.0);
                for (size_t i = 0; i < score.size(); ++i) {
                    kv.get_value(kv_head, first + int64_t(i), position, value.data());
                    for (size_t d = 0; d < sum.size(); ++d) sum[d] += score[i] * double(value[d]);
                }
                hadamard_rows(sum.data(), op.value_dim, kv.value_rotation());
                float* out = a.out[0].row(r).data() + head * op.value_dim;
                for (size_t d = 0; d < sum.size(); ++d) out[d] = float(sum[d] / total);
            }
        }
    }

  private:
    struct Query {
        const float* values;
        int64_t kv_head;
        int64_t position;
        int64_t first_key;
    };

    // The query as keys that moved by `shift` are to meet it: rotated the other way, and turned as they are stored.
    static std::vector<double> met_by(const Attention& op, const Arguments& a, const KvView& kv,
                                      const Query& query, int32_t shift) {
        std::vector<double> x(query.values, query.values + op.key_dim);
        const auto half = size_t(op.rotary / 2);
        std::vector<float> frequency(half, 0.0f);
        if (shift != 0 && half != 0) a.weights[0]->decode_row(0, frequency.data());
        for (size_t i = 0; i < half; ++i) {
            const double angle = -double(shift) * double(frequency[i]);
            double& p = x[op.interleaved ? 2 * i : i];
            double& q = x[op.interleaved ? 2 * i + 1 : i + half];
            const double turned = p * std::cos(angle) - q * std::sin(angle);
            q = p * std::sin(angle) + q * std::cos(angle);
            p = turned;
        }
        hadamard_rows(x.data(), op.key_dim, kv.key_rotation());
        return x;
    }

    // Fills `score` with exp(s - max) for the tokens up to the query's position and returns their sum.
    static double softmax_scores(const Attention& op, const Arguments& a, const KvView& kv,
                                 const Query& query, std::vector<double>& score) {
        std::vector<double> q;
        std::vector<float> key(size_t(op.key_dim), 0.0f);
        int32_t shift = 0;
        double highest = -INFINITY;
        for (size_t i = 0; i < score.size(); ++i) {
            const int64_t token = query.first_key + int64_t(i);
            const int32_t of_page = kv.table[token / kv.page_tokens].shift;
            if (q.empty() || of_page != shift) q = met_by(op, a, kv, query, shift = of_page);
            kv.get_key(query.kv_head, token, query.position, key.data());
            double dot = 0;
            for (size_t d = 0; d < key.size(); ++d) dot += q[d] * double(key[d]);
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
