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
#include "quant/support/fit.h"

namespace ingle::quant {

// Rows of a codebook by their halves: what one half costs is summed once for all rows that have it.
struct GridEntry {
    uint16_t row;
    uint16_t first_half;  // its combination of levels
};
struct GridGroup {  // rows with the same second half
    int second_half;
    int first, last;  // entries
};
struct GridTables {
    int size;          // numbers of a row: 8 or 4
    int level_count;   // different numbers, at most 8
    int combinations;  // of half a row, at most 81
    int group_count;
    const float* levels;
    const GridGroup* groups;
    const GridEntry* entries;
};

// Sixteen scales tried on one sub-block.
struct GridTrials {
    const float* values;
    const float* weights;
    int count;            // weights of the sub-block: 16 or 32
    const float* scales;  // [16]
    const float* offsets;
    int offset_count;  // at most 2
    bool offset_by_row;
};
// By trial: the cost, and for every row of the sub-block which one of the codebook costs least, how
// much, and with which offset.
struct GridResult {
    float costs[16];
    float row_costs[8][16];
    uint16_t rows[8][16];
    uint8_t offsets[8][16];
};

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

    // For the search of all rows at once (search/grid_text.h).
    GridTables tables() const;

  private:
    GridIndex(const uint32_t* words, int rows, int size);

    int size_;
    int combinations_;
    std::vector<float> levels_;
    std::vector<uint8_t> positions_;  // [row][size]
    std::vector<GridEntry> entries_;
    std::vector<GridGroup> groups_;
};

// How minus signs are kept: with the numbers of the codebook, or apart, eight in a byte, any of them
// or an even number of them.
enum class GridSigns { in_rows, any, even };

struct GridShape {
    const GridIndex& index;
    int sub_size;       // weights that share a level: 32 or 16
    int level_count;    // levels are below this
    float denominator;
    GridSigns signs;
    // What may be added to the numbers of a row.
    std::span<const float> offsets = no_offset;
    bool offset_by_row = false;  // otherwise by sub-block

    static constexpr float no_offset[] = {0};
};

struct GridSuperBlock {
    f16 scale;
    std::array<uint8_t, 16> levels;  // the first 256 / sub_size are used
    std::array<uint16_t, 64> rows;   // the first 256 / index.size() are used
    std::array<uint8_t, 64> offsets; // of the rows: positions in shape.offsets
    std::array<uint8_t, 32> signs;   // bit k of byte j: weight 8j + k is negative
};

// Minimises the weighted squared error: sixteen trial scales for each sub-block, each refitted to the
// rows that cost least; every level for every sub-block; the f16 scale by least squares, and every
// level again; more f16 scales if there is time; then that scale is made somewhat larger, for what
// the codes miss makes every product smaller.
//
// Where only an even number of minus signs can be kept, the value that matters least gets the wrong
// sign, or, if there is time, the one with which the rows cost least.
GridSuperBlock fit_grid_super_block(const GridShape& shape, const EncodeBlock<256>& in);

// Levels of 4 bits, those of sub-blocks 2k (low nibble) and 2k + 1 in byte k.
template <size_t bytes>
void pack_levels(const GridSuperBlock& block, uint8_t (&out)[bytes]) {
    for (size_t k = 0; k < bytes; ++k)
        out[k] = uint8_t(block.levels[2 * k] | block.levels[2 * k + 1] << 4);
}

// Of the 32 weights of sub-block b: four sign codes of 7 bits (even_signs.h), then the level.
inline uint32_t signs_and_level(const GridSuperBlock& block, size_t b) {
    uint32_t word = uint32_t(block.levels[b]) << 28;
    for (size_t k = 0; k < 4; ++k) word |= uint32_t(block.signs[4 * b + k] & 127) << (7 * k);
    return word;
}

}  // namespace ingle::quant
