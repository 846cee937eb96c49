// Activate: out = f(x), f one of the activation functions.
// in: x [rows, columns]; out likewise.
#pragma once

#include <cmath>

#include "ops/support/activation.h"
#include "ops/support/arguments.h"

namespace ingle::ops {

struct Activate {
    static constexpr std::string_view name = "activate";
    static constexpr bool in_place = true;
    Activation function = Activation::silu;

    static void reference(const Activate& op, const Arguments& a, RowRange rows) {
        for (int64_t r = rows.begin; r < rows.end; ++r)
            for (int64_t i = 0; i < a.in[0].columns; ++i)
                a.out[0].row(r)[size_t(i)] = apply(op.function, a.in[0].row(r)[size_t(i)]);
    }
};

}  // namespace ingle::ops
