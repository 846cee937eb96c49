// IQ2_XS: 256 weights in 16 sub-blocks of 16; 8 weights are a row of a codebook, with an even
// number of minus signs, and 2 rows share a 4-bit level.
//
//   value[i] = scale * (level + 0.5) / 4 * row[i % 8] * sign[i]          2.3125 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/codebook.h"
#include "quant/support/even_signs.h"
#include "quant/support/fit.h"
#include "quant/support/grid_search.h"
#include "quant/support/grids/iq2_xs.h"

namespace ingle::quant {

struct IQ2_XS {
    static constexpr std::string_view name = "IQ2_XS";
    static constexpr uint32_t gguf_id = 17;
    static constexpr int block_size = 256;

    struct Block {
        f16 scale;
        uint16_t codes[32];  // row number in the lowest 9 bits, then a sign code of 7 bits
        uint8_t levels[8];   // of sub-blocks 2k (low nibble) and 2k + 1
    };
    static_assert(sizeof(Block) == 74, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (size_t k = 0; k < 32; ++k) {
            const int level = block.levels[k / 4] >> (k / 2 % 2 * 4) & 15;
            const float sub_scale = scale * (float(level) + 0.5f) * 0.25f;
            const uint32_t code = block.codes[k];
            put_row(iq2_xs_grid, code & 511, even_signs(code >> 9), sub_scale, &out[8 * k]);
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        static const GridIndex index(iq2_xs_grid);
        const auto fitted = fit_grid_super_block({index, 16, 16, 8, GridSigns::even}, in);
        Block block = {};
        block.scale = fitted.scale;
        for (size_t k = 0; k < 32; ++k)
            block.codes[k] = uint16_t(fitted.rows[k] | (fitted.signs[k] & 127) << 9);
        pack_levels(fitted, block.levels);
        return block;
    }
};

}  // namespace ingle::quant
