// Gated: out = f(gate) * up, the inner step of SwiGLU and GeGLU. (Shazeer 2020)
// in: gate [rows, columns], up likewise; out likewise.
#pragma once

#include "ops/support/activation.h"
#include "ops/support/arguments.h"

namespace ingle::ops {

struct Gated {
    static constexpr std::string_view name = "gated";
    static constexpr bool in_place = true;
    Activation function = Activation::silu;

    static void reference(const Gated& op, const Arguments& a, RowRange rows) {
        for (int64_t r = rows.begin; r < rows.end; ++r)
            for (size_t i = 0; i < size_t(a.in[0].columns); ++i)
                a.out[0].row(r)[i] = apply(op.function, a.in[0].row(r)[i]) * a.in[1].row(r)[i];
    }
};

}  // namespace ingle::ops
