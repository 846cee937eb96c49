// Q4_1: 32 weights share one f16 scale and one f16 offset; each weight is a 4-bit code.
//
//   value[i] = scale * code[i] + offset          5 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/nibbles.h"
#include "quant/support/small_block.h"

namespace ingle::quant {

struct Q4_1 {
    static constexpr std::string_view name = "Q4_1";
    static constexpr uint32_t gguf_id = 3;
    static constexpr int block_size = 32;

    struct Block {
        f16 scale;
        f16 offset;
        uint8_t codes[block_size / 2];  // byte j: code j in the low nibble, code j + 16 in the high
    };
    static_assert(sizeof(Block) == 20, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        const float offset = to_f32(block.offset);
        for (int j = 0; j < block_size / 2; ++j) {
            out[j] = scale * float(block.codes[j] & 15) + offset;
            out[j + 16] = scale * float(block.codes[j] >> 4) + offset;
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        const LineBlock fitted = fit_line_block(in, 15);
        Block block;
        block.scale = fitted.scale;
        block.offset = fitted.offset;
        pack_nibbles(fitted.codes, block.codes);
        return block;
    }
};

}  // namespace ingle::quant
