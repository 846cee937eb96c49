// GateRows: every row is scaled by a gate of its own: out[r] = sigmoid(gate[r]) * x[r].
// in: x [rows, columns], gate [rows, 1]; out as x. (The shared expert of Qwen2-MoE, Qwen Team 2024)
#pragma once

#include <cmath>

#include "ops/support/arguments.h"

namespace ingle::ops {

struct GateRows {
    static constexpr std::string_view name = "gate_rows";

    static float open(float gate) { return 1 / (1 + std::exp(-gate)); }

    static void reference(const GateRows&, const Arguments& a, RowRange rows) {
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            const float factor = open(a.in[1].row(r)[0]);
            for (size_t i = 0; i < size_t(a.in[0].columns); ++i)
                a.out[0].row(r)[i] = factor * a.in[0].row(r)[i];
        }
    }
};

}  // namespace ingle::ops
