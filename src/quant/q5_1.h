// Q5_1: 32 weights share one f16 scale and one f16 offset; each weight is a 5-bit code.
//
//   value[i] = scale * code[i] + offset          6 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/nibbles.h"
#include "quant/support/small_block.h"

namespace ingle::quant {

struct Q5_1 {
    static constexpr std::string_view name = "Q5_1";
    static constexpr uint32_t gguf_id = 7;
    static constexpr int block_size = 32;

    struct Block {
        f16 scale;
        f16 offset;
        uint8_t fifth_bits[4];          // little-endian word, bit i: the top bit of code i
        uint8_t codes[block_size / 2];  // byte j: code j in the low nibble, code j + 16 in the high
    };
    static_assert(sizeof(Block) == 24, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        const float offset = to_f32(block.offset);
        uint8_t codes[block_size];
        unpack_five_bits(block.codes, block.fifth_bits, codes);
        for (int i = 0; i < block_size; ++i) out[i] = scale * float(codes[i]) + offset;
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        const LineBlock fitted = fit_line_block(in, 31);
        Block block;
        block.scale = fitted.scale;
        block.offset = fitted.offset;
        pack_nibbles(fitted.codes, block.codes);
        pack_fifth_bits(fitted.codes, block.fifth_bits);
        return block;
    }
};

}  // namespace ingle::quant
