// Scale: out = factor * x.
// in: x [rows, columns]; out likewise.
#pragma once

#include <cmath>

#include "ops/support/arguments.h"

namespace ingle::ops {

struct Scale {
    static constexpr std::string_view name = "scale";
    static constexpr bool in_place = true;
    float factor = 1;

    static void reference(const Scale& op, const Arguments& a, RowRange rows) {
        for (int64_t r = rows.begin; r < rows.end; ++r)
            for (int64_t i = 0; i < a.in[0].columns; ++i)
                a.out[0].row(r)[size_t(i)] = op.factor * a.in[0].row(r)[size_t(i)];
    }
};

}  // namespace ingle::ops
