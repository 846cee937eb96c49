// IQ2_XXS: 256 weights in 8 sub-blocks of 32; 8 weights are a row of a codebook, with an even
// number of minus signs, and 4 rows share a 4-bit level.
//
//   value[i] = scale * (level + 0.5) / 4 * row[i % 8] * sign[i]          2.0625 bits per weight
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/codebook.h"
#include "quant/support/even_signs.h"
#include "quant/support/fit.h"
#include "quant/support/grid_search.h"
#include "quant/support/grids/iq2_xxs.h"

namespace ingle::quant {

struct IQ2_XXS {
    static constexpr std::string_view name = "IQ2_XXS";
    static constexpr uint32_t gguf_id = 16;
    static constexpr int block_size = 256;

    struct Run {  // 32 weights
        uint8_t rows[4];
        uint8_t signs_level[4];  // little-endian: four sign codes of 7 bits, then the level

        uint32_t word() const {
            uint32_t word;
            std::memcpy(&word, signs_level, 4);
            return word;
        }
    };
    struct Block {
        f16 scale;
        Run runs[8];
    };
    static_assert(sizeof(Block) == 66, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (size_t b = 0; b < 8; ++b) {
            const uint32_t word = block.runs[b].word();
            const float sub_scale = scale * (float(word >> 28) + 0.5f) * 0.25f;
            for (size_t k = 0; k < 4; ++k) {
                put_row(iq2_xxs_grid, block.runs[b].rows[k], even_signs(word >> (7 * k)), sub_scale,
                        &out[32 * b + 8 * k]);
            }
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        static const GridIndex index(iq2_xxs_grid);
        const auto fitted = fit_grid_super_block({index, 32, 16, 8, GridSigns::even}, in);
        Block block = {};
        block.scale = fitted.scale;
        for (size_t b = 0; b < 8; ++b) {
            const uint32_t word = signs_and_level(fitted, b);
            for (size_t k = 0; k < 4; ++k)
                block.runs[b].rows[k] = uint8_t(fitted.rows[4 * b + k]);
            std::memcpy(block.runs[b].signs_level, &word, 4);
        }
        return block;
    }
};

}  // namespace ingle::quant
