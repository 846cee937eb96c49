// IQ3_XXS: 256 weights in 8 sub-blocks of 32; 4 weights are a row of a codebook, 8 have an even
// number of minus signs, and 8 rows share a 4-bit level.
//
//   value[i] = scale * (level + 0.5) / 2 * row[i % 4] * sign[i]          3.0625 bits per weight
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
#include "quant/support/grids/iq3_xxs.h"

namespace ingle::quant {

struct IQ3_XXS {
    static constexpr std::string_view name = "IQ3_XXS";
    static constexpr uint32_t gguf_id = 18;
    static constexpr int block_size = 256;

    struct Block {
        f16 scale;
        uint8_t rows[64];
        uint8_t signs_levels[32];  // 8 little-endian words: four sign codes of 7 bits, then the
                                   // level

        uint32_t word(size_t b) const {
            uint32_t word;
            std::memcpy(&word, signs_levels + 4 * b, 4);
            return word;
        }
    };
    static_assert(sizeof(Block) == 98, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (size_t b = 0; b < 8; ++b) {
            const uint32_t word = block.word(b);
            const float sub_scale = scale * (float(word >> 28) + 0.5f) * 0.5f;
            for (size_t k = 0; k < 8; ++k) {
                const unsigned signs = even_signs(word >> (k / 2 * 7)) >> (k % 2 * 4);
                put_row(iq3_xxs_grid, block.rows[8 * b + k], signs, sub_scale,
                        &out[32 * b + 4 * k]);
            }
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        static const GridIndex index(iq3_xxs_grid);
        const auto fitted = fit_grid_super_block({index, 32, 16, 4, GridSigns::even}, in);
        Block block = {};
        block.scale = fitted.scale;
        for (size_t k = 0; k < 64; ++k) block.rows[k] = uint8_t(fitted.rows[k]);
        for (size_t b = 0; b < 8; ++b) {
            const uint32_t word = signs_and_level(fitted, b);
            std::memcpy(block.signs_levels + 4 * b, &word, 4);
        }
        return block;
    }
};

}  // namespace ingle::quant
