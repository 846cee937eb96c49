// A codebook: rows of a few small numbers; an index in a file names a row, so several weights at
// once. The rows lie in grids/, found out by tools/make_codebooks.py.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ingle::quant {

template <size_t Rows, size_t Size>
struct Codebook {
    static constexpr size_t rows = Rows;
    static constexpr size_t size = Size;  // numbers of a row: 8 or 4

    // Number k of a row is byte k % 4 of its word k / 4, a signed byte.
    alignas(64) uint32_t words[Rows * Size / 4];

    constexpr int at(size_t row, size_t k) const {
        return int8_t(words[(row * Size + k) / 4] >> (k % 4 * 8));
    }
};

// From rows of positions in the list of levels: position k of a row has 2 bits (3 where a
// row has 4 numbers), the first lowest.
template <size_t Size, size_t Levels, size_t Rows>
constexpr Codebook<Rows, Size> expand_codebook(const int8_t (&levels)[Levels],
                                               const uint16_t (&rows)[Rows]) {
    constexpr unsigned bits = Size == 8 ? 2 : 3;
    Codebook<Rows, Size> book = {};
    for (size_t row = 0; row < Rows; ++row)
        for (size_t k = 0; k < Size; ++k) {
            const unsigned position = unsigned(rows[row]) >> (bits * k) & ((1u << bits) - 1);
            book.words[(row * Size + k) / 4] |= uint32_t(uint8_t(levels[position]))
                                                << (k % 4 * 8);
        }
    return book;
}

// Row `row` times `scale`, with bit k of `signs` set where weight k is negative.
template <size_t Rows, size_t Size>
inline void put_row(const Codebook<Rows, Size>& book, size_t row, unsigned signs, float scale,
                    float* out) {
    for (size_t k = 0; k < Size; ++k) {
        const int number = book.at(row, k);
        out[k] = scale * float((signs >> k & 1) != 0 ? -number : number);
    }
}

}  // namespace ingle::quant
