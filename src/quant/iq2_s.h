// IQ2_S: 256 weights in 16 sub-blocks of 16; 8 weights are a row of a codebook with signs, and 2
// rows share a 4-bit level.
//
//   value[i] = scale * (level + 0.5) / 4 * row[i % 8] * sign[i]          2.5625 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/codebook.h"
#include "quant/support/fit.h"
#include "quant/support/grid_search.h"
#include "quant/support/grids/iq2_s.h"

namespace ingle::quant {

struct IQ2_S {
    static constexpr std::string_view name = "IQ2_S";
    static constexpr uint32_t gguf_id = 22;
    static constexpr int block_size = 256;

    struct Block {
        f16 scale;
        uint8_t low_rows[32];   // the low 8 bits of the numbers of rows
        uint8_t signs[32];      // bit k of byte j: weight 8j + k is negative
        uint8_t high_rows[8];   // the top 2 bits of the numbers of rows 4j to 4j + 3, from the
                                // lowest
        uint8_t levels[8];      // of sub-blocks 2k (low nibble) and 2k + 1

        size_t row(size_t k) const {
            return low_rows[k] | size_t(high_rows[k / 4] >> (k % 4 * 2) & 3) << 8;
        }
    };
    static_assert(sizeof(Block) == 82, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (size_t k = 0; k < 32; ++k) {
            const int level = block.levels[k / 4] >> (k / 2 % 2 * 4) & 15;
            const float sub_scale = scale * (float(level) + 0.5f) * 0.25f;
            put_row(iq2_s_grid, block.row(k), block.signs[k], sub_scale, &out[8 * k]);
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        static const GridIndex index(iq2_s_grid);
        const auto fitted = fit_grid_super_block({index, 16, 16, 8, GridSigns::any}, in);
        Block block = {};
        block.scale = fitted.scale;
        for (size_t k = 0; k < 32; ++k) {
            block.low_rows[k] = uint8_t(fitted.rows[k]);
            block.high_rows[k / 4] |= uint8_t((fitted.rows[k] >> 8) << (k % 4 * 2));
            block.signs[k] = fitted.signs[k];
        }
        pack_levels(fitted, block.levels);
        return block;
    }
};

}  // namespace ingle::quant
