// The orthonormal Hadamard matrix of size n, a power of two, applied in place; it is its own inverse.
//   H[i][j] = (-1)^(number of ones in i & j) / sqrt(n)
#pragma once

#include <cmath>
#include <cstdint>

namespace ingle {

// The largest matrices that fit a whole number of times: the greatest power of two in `dim`.
constexpr int64_t hadamard_size(int64_t dim) { return dim & -dim; }

template <class T>
void hadamard(T* x, int64_t n) {
    for (int64_t half = 1; half < n; half *= 2)
        for (int64_t block = 0; block < n; block += 2 * half)
            for (int64_t i = block; i < block + half; ++i) {
                const T a = x[i], b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
    const T factor = T(1) / std::sqrt(T(n));
    for (int64_t i = 0; i < n; ++i) x[i] *= factor;
}

// Of each run of n values of a row.
template <class T>
void hadamard_rows(T* row, int64_t dim, int64_t n) {
    if (n < 2) return;
    for (int64_t at = 0; at < dim; at += n) hadamard(row + at, n);
}

}  // namespace ingle
