// Softcap: out = cap * tanh(x / cap), which keeps values inside (-cap, cap).
// in: x [rows, columns]; out likewise.
#pragma once

#include <cmath>

#include "ops/support/arguments.h"

namespace ingle::ops {

struct Softcap {
    static constexpr std::string_view name = "softcap";
    static constexpr bool in_place = true;
    float cap = 1;

    static void reference(const Softcap& op, const Arguments& a, RowRange rows) {
        for (int64_t r = rows.begin; r < rows.end; ++r)
            for (int64_t i = 0; i < a.in[0].columns; ++i)
                a.out[0].row(r)[size_t(i)] = op.cap * std::tanh(a.in[0].row(r)[size_t(i)] / op.cap);
    }
};

}  // namespace ingle::ops
