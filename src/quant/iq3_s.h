// IQ3_S: 256 weights in 8 sub-blocks of 32; 4 weights are a row of a codebook with signs, and 8
// rows share a 4-bit level.
//
//   value[i] = scale * (2 * level + 1) * row[i % 4] * sign[i]          3.4375 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/codebook.h"
#include "quant/support/fit.h"
#include "quant/support/grid_search.h"
#include "quant/support/grids/iq3_s.h"

namespace ingle::quant {

struct IQ3_S {
    static constexpr std::string_view name = "IQ3_S";
    static constexpr uint32_t gguf_id = 21;
    static constexpr int block_size = 256;

    struct Block {
        f16 scale;
        uint8_t low_rows[64];  // the low 8 bits of the numbers of rows
        uint8_t high_rows[8];  // bit k of byte b: the top bit of the number of row 8b + k
        uint8_t signs[32];     // bit k of byte j: weight 8j + k is negative
        uint8_t levels[4];     // of sub-blocks 2k (low nibble) and 2k + 1

        size_t row(size_t k) const {
            return low_rows[k] | size_t(high_rows[k / 8] >> (k % 8) & 1) << 8;
        }
    };
    static_assert(sizeof(Block) == 110, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (size_t k = 0; k < 64; ++k) {
            const int level = block.levels[k / 16] >> (k / 8 % 2 * 4) & 15;
            const float sub_scale = scale * float(2 * level + 1);
            put_row(iq3_s_grid, block.row(k), unsigned(block.signs[k / 2]) >> (k % 2 * 4),
                    sub_scale, &out[4 * k]);
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        static const GridIndex index(iq3_s_grid);
        const auto fitted = fit_grid_super_block({index, 32, 16, 1, GridSigns::any}, in);
        Block block = {};
        block.scale = fitted.scale;
        for (size_t k = 0; k < 64; ++k) {
            block.low_rows[k] = uint8_t(fitted.rows[k]);
            block.high_rows[k / 8] |= uint8_t((fitted.rows[k] >> 8) << (k % 8));
        }
        for (size_t k = 0; k < 32; ++k) block.signs[k] = fitted.signs[k];
        pack_levels(fitted, block.levels);
        return block;
    }
};

}  // namespace ingle::quant
