// TQ2_0: 256 weights share one f16 scale; each weight is -1, 0 or 1 in 2 bits.
//
//   value[i] = scale * (code[i] - 1)          2.0625 bits per weight
//
// Weight 128h + 32k + l (h = half, k = quarter of it) is at bit 2k of byte 32h + l.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/level_table.h"

namespace ingle::quant {

struct TQ2_0 {
    static constexpr std::string_view name = "TQ2_0";
    static constexpr uint32_t gguf_id = 35;
    static constexpr int block_size = 256;

    struct Block {
        uint8_t codes[block_size / 4];
        f16 scale;
    };
    static_assert(sizeof(Block) == 66, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (int i = 0; i < block_size; ++i) {
            out[i] = scale * float((block.codes[code_byte(i)] >> code_shift(i) & 3) - 1);
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        static constexpr float levels[] = {-1, 0, 1};
        Block block = {};
        block.scale = to_finite_f16(fit_level_scale(in.values, in.weights, levels));
        uint8_t codes[block_size];
        nearest_levels(in.values, to_f32(block.scale), levels, codes);
        for (int i = 0; i < block_size; ++i) {
            block.codes[code_byte(i)] |= uint8_t(codes[i] << code_shift(i));
        }
        return block;
    }

  private:
    static int code_byte(int i) { return i / 128 * 32 + i % 32; }
    static int code_shift(int i) { return i / 32 % 4 * 2; }
};

}  // namespace ingle::quant
