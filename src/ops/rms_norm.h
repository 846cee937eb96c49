// RmsNorm: every group of `group` columns is divided by its root mean square and scaled by the weight.
//
//   out[i] = x[i] / sqrt(mean(x^2) + eps) * weight[i % group]
//
// in: x [rows, columns]; weights: weight [group]; a group is the whole row or one head. (Zhang, Sennrich 2019)
#pragma once

#include <cmath>

#include "ops/support/arguments.h"

namespace ingle::ops {

struct RmsNorm {
    static constexpr std::string_view name = "rms_norm";
    float eps = 0;
    int64_t group = 0;

    static void reference(const RmsNorm& op, const Arguments& a, RowRange rows) {
        std::vector<float> weight(size_t(op.group));
        a.weights[0]->decode_row(0, weight.data());
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            for (int64_t first = 0; first < a.in[0].columns; first += op.group) {
                const float* x = a.in[0].row(r).data() + first;
                float* out = a.out[0].row(r).data() + first;
                double sum = 0;
                for (int64_t i = 0; i < op.group; ++i) sum += double(x[i]) * double(x[i]);
                const float scale = float(1 / std::sqrt(sum / double(op.group) + double(op.eps)));
                for (int64_t i = 0; i < op.group; ++i) out[i] = x[i] * scale * weight[size_t(i)];
            }
        }
    }
};

}  // namespace ingle::ops
