// Q8_0: 32 weights share one f16 scale; each weight is a signed byte.
//
//   value[i] = scale * code[i]          8.5 bits per weight
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/levels.h"
#include "quant/support/small_block.h"

namespace ingle::quant {

struct Q8_0 {
    static constexpr std::string_view name = "Q8_0";
    static constexpr uint32_t gguf_id = 8;
    static constexpr int block_size = 32;

    struct Block {
        f16 scale;
        int8_t codes[block_size];  // the encoder uses -127 to 127
    };
    static_assert(sizeof(Block) == 34, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (int i = 0; i < block_size; ++i) out[i] = scale * float(block.codes[i]);
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        float peak = 0;
        for (const float value : in.values) peak = std::max(peak, std::abs(value));
        Block block;
        block.scale = unit_of(peak, 127);
        if (in.effort > effort_min) return improved(in, block.scale);
        const float inverse = inverse_of(to_f32(block.scale));
        for (int i = 0; i < block_size; ++i) {
            block.codes[i] = int8_t(round_code(in.values[i] * inverse, -127, 127));
        }
        return block;
    }

  private:
    // A scale up to a twentieth larger at which values happen to lie closer to whole numbers.
    static Block improved(const EncodeBlock<block_size>& in, f16 scale) {
        constexpr Levels levels = uniform_levels(-127, 127, 0.995f, 1.05f);
        const ScaledBlock fitted = improve_scaled_block(in, levels, scale);
        Block block;
        block.scale = fitted.scale;
        for (int i = 0; i < block_size; ++i) block.codes[i] = int8_t(fitted.codes[i] - 127);
        return block;
    }
};

}  // namespace ingle::quant
