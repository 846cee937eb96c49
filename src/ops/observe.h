// Observe: adds the squares of its input to sums outside, column by column: what a calibration wants to know of the
// activations that meet a matrix.
//
//   into.squares[c] += sum over rows r of x[r, c]^2,   into.rows += rows
//
// in: x [rows, columns]; out: none. The sums lie in host memory: a device with memory of its own declines the op, and
// placement brings the input to one that can. Summed over rows in order, in double, so that threads change nothing.
#pragma once

#include <vector>

#include "ops/support/arguments.h"

namespace ingle::ops {

struct ColumnSquares {
    std::vector<double> squares;  // [columns]
    int64_t rows = 0;
};

struct Observe {
    static constexpr std::string_view name = "observe";
    ColumnSquares* into = nullptr;

    // Columns [columns.begin, columns.end) of all rows; threads may share the columns.
    static void reference_columns(const Observe& op, const Arguments& a, RowRange columns) {
        double* const sums = op.into->squares.data();
        for (int64_t r = 0; r < a.in[0].rows; ++r) {
            const float* const x = a.in[0].row(r).data();
            for (int64_t c = columns.begin; c < columns.end; ++c)
                sums[c] += double(x[c]) * double(x[c]);
        }
        if (columns.begin == 0) op.into->rows += a.in[0].rows;
    }

    static void reference(const Observe& op, const Arguments& a, RowRange rows) {
        ConstMatrix part = a.in[0];
        part.data += rows.begin * part.stride;
        part.rows = rows.end - rows.begin;
        Arguments some = a;
        some.in = {&part, 1};
        reference_columns(op, some, {0, part.columns});
    }
};

}  // namespace ingle::ops
