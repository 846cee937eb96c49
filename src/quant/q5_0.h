// Q5_0: 32 weights share one f16 scale; each weight is a 5-bit code.
//
//   value[i] = scale * (code[i] - 16)          5.5 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/levels.h"
#include "quant/support/nibbles.h"
#include "quant/support/small_block.h"

namespace ingle::quant {

struct Q5_0 {
    static constexpr std::string_view name = "Q5_0";
    static constexpr uint32_t gguf_id = 6;
    static constexpr int block_size = 32;

    struct Block {
        f16 scale;
        uint8_t fifth_bits[4];          // little-endian word, bit i: the top bit of code i
        uint8_t codes[block_size / 2];  // byte j: code j in the low nibble, code j + 16 in the high
    };
    static_assert(sizeof(Block) == 22, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        uint8_t codes[block_size];
        unpack_five_bits(block.codes, block.fifth_bits, codes);
        for (int i = 0; i < block_size; ++i) out[i] = scale * float(int(codes[i]) - 16);
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        const ScaledBlock fitted = fit_scaled_block(in, levels);
        Block block;
        block.scale = fitted.scale;
        pack_nibbles(fitted.codes, block.codes);
        pack_fifth_bits(fitted.codes, block.fifth_bits);
        return block;
    }

  private:
    static constexpr Levels levels = uniform_levels(-16, 15, 0.775f, 1.125f);
};

}  // namespace ingle::quant
