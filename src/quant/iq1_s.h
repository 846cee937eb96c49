// IQ1_S: 256 weights in 8 sub-blocks of 32; 8 weights are a row of a codebook of -1, 0 and 1, and 4
// rows share a 3-bit level and an offset.
//
//   value[i] = scale * (2 * level + 1) * (row[i % 8] + offset),  offset = 1/8 or -1/8
//                                                                       1.5625 bits per weight
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

struct IQ1_S {
    static constexpr std::string_view name = "IQ1_S";
    static constexpr uint32_t gguf_id = 19;
    static constexpr int block_size = 256;

    struct Block {
        f16 scale;
        uint8_t low_rows[32];  // the low 8 bits of the numbers of rows
        // of sub-block b: the top 3 bits of its rows' numbers from the lowest on, the level, and in
        // the top bit a minus for the offset
        uint16_t high_rows[8];

        size_t row(size_t k) const {
            return low_rows[k] | size_t(high_rows[k / 4] >> (k % 4 * 3) & 7) << 8;
        }
    };
    static_assert(sizeof(Block) == 50, "GGUF fixes this layout");

    // The codebook and the offset count in eighths.
    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (size_t k = 0; k < 32; ++k) {
            const int high = block.high_rows[k / 4];
            const float sub_scale = scale * float(2 * (high >> 12 & 7) + 1);
            const int offset = high >> 15 != 0 ? -1 : 1;
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
            fit_grid_super_block({index, 32, 8, 8, GridSigns::in_rows, offsets, false}, in);
        Block block = {};
        block.scale = fitted.scale;
        for (size_t k = 0; k < 32; ++k) {
            const int high = fitted.rows[k] >> 8 << (k % 4 * 3);
            block.low_rows[k] = uint8_t(fitted.rows[k]);
            block.high_rows[k / 4] = uint16_t(block.high_rows[k / 4] | high);
        }
        for (size_t b = 0; b < 8; ++b) {
            const int minus = fitted.offsets[4 * b] == 0 ? 1 : 0;
            const int high = fitted.levels[b] << 12 | minus << 15;
            block.high_rows[b] = uint16_t(block.high_rows[b] | high);
        }
        return block;
    }
};

}  // namespace ingle::quant
