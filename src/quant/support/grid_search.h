// Encoding with a codebook, as all IQ1, IQ2 and IQ3 formats do: 256 weights in sub-blocks that
// share an odd whole multiple of one f16 scale; each row of the codebook codes 8 or 4 weights.
//   value = scale / denominator * (2 * level + 1) * (codebook number + offset)
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/float16.h"
#include "quant/support/codebook.h"

namespace ingle::quant {

// A codebook prepared for finding the row that costs least.
class GridIndex {
  public:
    template <size_t Rows, size_t Size>
    explicit GridIndex(const Codebook<Rows, Size>& book)
        : GridIndex(book.words, int(Rows), int(Size)) {}

    int size() const { return size_; }
    // The numbers that occur, ascending; at most 8.
    std::span<const float> levels() const { return levels_; }
    float number(int row, int k) const {
        return levels_[size_t(positions_[size_t(row * size_ + k)])];
    }

    struct Found {
        int row;
        float cost;
    };
    // costs[k][p] >= 0 is what number k of a row costs where it is levels()[p].
    Found cheapest(const float (*costs)[8]) const;

  private:
    GridIndex(const uint32_t* words, int rows, int size);

    // The sums of one half of the numbers, for every combination of their levels.
    void sum_half(const float (*costs)[8], float* sums) const;

    struct Entry {
        uint16_t row;
        uint16_t first_half;  // its combination of levels
    };
    struct Group {  // rows with the same second half
        int second_half;
        int first, last;  // entries
    };
    int size_;
    int combinations_;
    std::vector<float> levels_;
    std::vector<uint8_t> positions_;  // [row][size]
    std::vector<Entry> entries_;
    std::vector<Group> groups_;
};

struct GridShape {
    const GridIndex& index;
    int sub_size;       // weights that share a level: 32 or 16
    int level_count;    // levels are below this
    float denominator;
    // What may be added to the numbers of a row; {0} if nothing.
    std::span<const float> offsets;
    bool offset_by_row;  // otherwise by sub-block
};

struct GridSuperBlock {
    f16 scale;
    std::array<uint8_t, 16> levels;  // the first 256 / sub_size are used
    std::array<uint16_t, 64> rows;   // the first 256 / index.size() are used
    std::array<uint8_t, 64> offsets; // of the rows: positions in shape.offsets
};

// Minimises the weighted squared error: trial scales for each sub-block, each refitted to the rows
// that cost least; levels tried one step up and down; then the f16 scale by least squares, made
// somewhat larger than that, for what the codes miss makes every product smaller.
GridSuperBlock fit_grid_super_block(const GridShape& shape, std::span<const float, 256> values,
                                    std::span<const float, 256> weights);

// Splits values into magnitudes and signs, bit k of byte i for value 8i + k. If every byte may only
// hold an even number of minus signs, the value that matters least is given the wrong sign where
// needed: its magnitude is then negative.
struct Signs {
    std::array<uint8_t, 32> bytes;
};
Signs split_signs(std::span<const float, 256> values, std::span<const float, 256> weights,
                  bool even, std::span<float, 256> magnitudes);

}  // namespace ingle::quant
