// IQ1_M: 256 weights in 16 sub-blocks of 16; 8 weights are a row of a codebook of -1, 0 and 1 with
// an offset, and 2 rows share a 3-bit level.
//
//   value[i] = scale * (2 * level + 1) * (row[i % 8] + offset),  offset = 1/8 or -1/8
//                                                                       1.75 bits per weight
// The f16 scale lies in the top 4 bits of the four words of levels, its lowest bits in the first.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/codebook.h"
#include "quant/support/fit.h"
#include "quant/support/grid_search.h"
#include "quant/support/grids/iq1_s.h"

namespace ingle::quant {

struct IQ1_M {
    static constexpr std::string_view name = "IQ1_M";
    static constexpr uint32_t gguf_id = 29;
    static constexpr int block_size = 256;

    struct Block {
        uint8_t low_rows[32];   // the low 8 bits of the numbers of rows
        uint8_t high_rows[16];  // a nibble for each row, low one first: the top 3 bits of its
                                // number, and in the top bit a minus for the offset
        uint8_t levels[8];      // four little-endian words, each with four levels from the lowest
                                // bits

        int high(size_t k) const { return high_rows[k / 2] >> (k % 2 * 4) & 15; }
        size_t row(size_t k) const { return low_rows[k] | size_t(high(k) & 7) << 8; }
        uint32_t word(size_t j) const { return levels[2 * j] | uint32_t(levels[2 * j + 1]) << 8; }
        int level(size_t b) const { return int(word(b / 4) >> (b % 4 * 3) & 7); }
        f16 scale() const {
            uint32_t bits = 0;
            for (size_t j = 0; j < 4; ++j) bits |= word(j) >> 12 << (4 * j);
            return {uint16_t(bits)};
        }
    };
    static_assert(sizeof(Block) == 56, "GGUF fixes this layout");

    // The codebook and the offset count in eighths.
    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale());
        for (size_t k = 0; k < 32; ++k) {
            const float sub_scale = scale * float(2 * block.level(k / 2) + 1);
            const int offset = block.high(k) >= 8 ? -1 : 1;
            for (size_t j = 0; j < 8; ++j) {
                const int eighths = iq1_s_grid.at(block.row(k), j) + offset;
                out[8 * k + j] = sub_scale * (float(eighths) * 0.125f);
            }
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        static const GridIndex index(iq1_s_grid);
        static constexpr float offsets[] = {-1, 1};
        const auto fitted =
            fit_grid_super_block({index, 16, 8, 8, GridSigns::in_rows, offsets, true}, in);
        Block block = {};
        for (size_t k = 0; k < 32; ++k) {
            const int high = fitted.rows[k] >> 8 | (fitted.offsets[k] == 0 ? 8 : 0);
            block.low_rows[k] = uint8_t(fitted.rows[k]);
            block.high_rows[k / 2] |= uint8_t(high << (k % 2 * 4));
        }
        for (size_t j = 0; j < 4; ++j) {
            uint32_t word = uint32_t(fitted.scale.bits >> (4 * j) & 15) << 12;
            for (size_t b = 0; b < 4; ++b) word |= uint32_t(fitted.levels[4 * j + b]) << (3 * b);
            block.levels[2 * j] = uint8_t(word);
            block.levels[2 * j + 1] = uint8_t(word >> 8);
        }
        return block;
    }
};

}  // namespace ingle::quant
