// A view of f32 rows in host memory: activations are [rows, columns], rows `stride` floats apart.
#pragma once

#include <cstdint>
#include <span>

namespace ingle {

template <class T>
struct MatrixView {
    T* data = nullptr;
    int64_t rows = 0;
    int64_t columns = 0;
    int64_t stride = 0;

    std::span<T> row(int64_t r) const { return {data + r * stride, size_t(columns)}; }
    operator MatrixView<const T>() const { return {data, rows, columns, stride}; }
};

using Matrix = MatrixView<float>;
using ConstMatrix = MatrixView<const float>;

}  // namespace ingle
