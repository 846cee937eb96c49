// SelectRows: keeps the rows whose output is wanted: out[i] = x[outputs[i]].
// in: x [tokens, columns]; out [outputs, columns].
#pragma once

#include <algorithm>

#include "ops/support/arguments.h"

namespace ingle::ops {

struct SelectRows {
    static constexpr std::string_view name = "select_rows";

    static void reference(const SelectRows&, const Arguments& a, RowRange rows) {
        for (int64_t r = rows.begin; r < rows.end; ++r)
            std::ranges::copy(a.in[0].row(a.batch->outputs[size_t(r)]), a.out[0].row(r).begin());
    }
};

}  // namespace ingle::ops
