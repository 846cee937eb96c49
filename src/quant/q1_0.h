// Q1_0: 128 weights share one f16 scale; each weight is its sign.
//
//   value[i] = bit[i] ? scale : -scale          1.125 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/level_table.h"

namespace ingle::quant {

struct Q1_0 {
    static constexpr std::string_view name = "Q1_0";
    static constexpr uint32_t gguf_id = 41;
    static constexpr int block_size = 128;

    struct Block {
        f16 scale;
        uint8_t bits[block_size / 8];  // bit k of byte j: weight 8j + k
    };
    static_assert(sizeof(Block) == 18, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (int i = 0; i < block_size; ++i) {
            out[i] = (block.bits[i / 8] >> (i % 8) & 1) != 0 ? scale : -scale;
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        static constexpr float levels[] = {-1, 1};
        Block block = {};
        block.scale = to_finite_f16(fit_level_scale(in.values, in.weights, levels));
        uint8_t codes[block_size];
        nearest_levels(in.values, to_f32(block.scale), levels, codes);
        for (int i = 0; i < block_size; ++i) block.bits[i / 8] |= uint8_t(codes[i] << (i % 8));
        return block;
    }
};

}  // namespace ingle::quant
