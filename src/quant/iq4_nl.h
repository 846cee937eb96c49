// IQ4_NL: 32 weights share one f16 scale; each weight is one of 16 uneven levels.
//
//   value[i] = scale * iq4_levels[code[i]]          4.5 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/iq4_levels.h"
#include "quant/support/nibbles.h"
#include "quant/support/small_block.h"

namespace ingle::quant {

struct IQ4_NL {
    static constexpr std::string_view name = "IQ4_NL";
    static constexpr uint32_t gguf_id = 20;
    static constexpr int block_size = 32;

    struct Block {
        f16 scale;
        uint8_t codes[block_size / 2];  // byte j: code j in the low nibble, code j + 16 in the high
    };
    static_assert(sizeof(Block) == 18, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (int j = 0; j < block_size / 2; ++j) {
            out[j] = scale * iq4_levels[block.codes[j] & 15];
            out[j + 16] = scale * iq4_levels[block.codes[j] >> 4];
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        const ScaledBlock fitted = fit_scaled_block(in, levels);
        Block block;
        block.scale = fitted.scale;
        pack_nibbles(fitted.codes, block.codes);
        return block;
    }

  private:
    static constexpr Levels levels = uneven_levels(iq4_levels, 0.68f, 1.18f);
};

}  // namespace ingle::quant
