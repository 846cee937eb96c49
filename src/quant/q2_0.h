// Q2_0: 64 weights share one f16 scale; each weight is -1, 0, 1 or 2.
//
//   value[i] = scale * (code[i] - 1)          2.25 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/level_table.h"

namespace ingle::quant {

struct Q2_0 {
    static constexpr std::string_view name = "Q2_0";
    static constexpr uint32_t gguf_id = 42;
    static constexpr int block_size = 64;

    struct Block {
        f16 scale;
        uint8_t codes[block_size / 4];  // bits 2k and 2k + 1 of byte j: weight 4j + k
    };
    static_assert(sizeof(Block) == 18, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (int i = 0; i < block_size; ++i) {
            out[i] = scale * float((block.codes[i / 4] >> (i % 4 * 2) & 3) - 1);
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        static constexpr float levels[] = {-1, 0, 1, 2};
        Block block = {};
        block.scale = to_finite_f16(fit_level_scale(in.values, in.weights, levels));
        uint8_t codes[block_size];
        nearest_levels(in.values, to_f32(block.scale), levels, codes);
        for (int i = 0; i < block_size; ++i) block.codes[i / 4] |= uint8_t(codes[i] << (i % 4 * 2));
        return block;
    }
};

}  // namespace ingle::quant
