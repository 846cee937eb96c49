// Q2_K: 256 weights in 16 sub-blocks of 16; each weight is a 2-bit code.
//
//   value[i] = scale * scales[b] * code[i] - min_scale * mins[b],  b = i / 16
//                                                                       2.625 bits per weight
// Weight 128h + 32k + l (h = half, k = quarter of it) is at bit 2k of byte 32h + l.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/affine_super_block.h"
#include "quant/support/fit.h"

namespace ingle::quant {

struct Q2_K {
    static constexpr std::string_view name = "Q2_K";
    static constexpr uint32_t gguf_id = 10;
    static constexpr int block_size = 256;

    struct Block {
        uint8_t levels[16];  // of sub-block b: scales[b] in the low nibble, mins[b] in the high
        uint8_t codes[block_size / 4];
        f16 scale;
        f16 min_scale;
    };
    static_assert(sizeof(Block) == 84, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        const float min_scale = to_f32(block.min_scale);
        for (int b = 0; b < 16; ++b) {
            const float sub_scale = scale * float(block.levels[b] & 15);
            const float minimum = min_scale * float(block.levels[b] >> 4);
            const uint8_t* const codes = block.codes + code_byte(16 * b);
            const int shift = code_shift(16 * b);
            for (int l = 0; l < 16; ++l) {
                out[16 * b + l] = sub_scale * float(codes[l] >> shift & 3) - minimum;
            }
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        const AffineSuperBlock fitted = fit_affine_super_block(in, q2_k_shape);
        Block block = {{}, {}, fitted.scale, fitted.min_scale};
        for (int b = 0; b < 16; ++b) {
            block.levels[b] = uint8_t(fitted.scales[b] | fitted.mins[b] << 4);
        }
        for (int i = 0; i < block_size; ++i) {
            block.codes[code_byte(i)] |= uint8_t(fitted.codes[i] << code_shift(i));
        }
        return block;
    }

  private:
    static int code_byte(int i) { return i / 128 * 32 + i % 32; }
    static int code_shift(int i) { return i / 32 % 4 * 2; }
};

}  // namespace ingle::quant
