// Add: out = a + b, the sum element by element.
// in: a [rows, columns], b likewise; out likewise.
#pragma once

#include "ops/support/arguments.h"

namespace ingle::ops {

struct Add {
    static constexpr std::string_view name = "add";
    static constexpr bool in_place = true;

    static void reference(const Add&, const Arguments& a, RowRange rows) {
        for (int64_t r = rows.begin; r < rows.end; ++r)
            for (size_t i = 0; i < size_t(a.in[0].columns); ++i)
                a.out[0].row(r)[i] = a.in[0].row(r)[i] + a.in[1].row(r)[i];
    }
};

}  // namespace ingle::ops
