// Q5_K: 256 weights in 8 sub-blocks of 32; each weight is a 5-bit code.
//
//   value[i] = scale * scales[b] * code[i] - min_scale * mins[b],  b = i / 32
//                                                                       5.5 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/affine_super_block.h"
#include "quant/support/fit.h"

namespace ingle::quant {

struct Q5_K {
    static constexpr std::string_view name = "Q5_K";
    static constexpr uint32_t gguf_id = 13;
    static constexpr int block_size = 256;

    struct Block {
        f16 scale;
        f16 min_scale;
        PackedScales levels;
        uint8_t fifth_bits[32];         // bit b of byte l: the top bit of code 32b + l
        uint8_t codes[block_size / 2];  // byte 32c + l: codes 64c + l (low nibble), 64c + 32 + l
    };
    static_assert(sizeof(Block) == 176, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        const float min_scale = to_f32(block.min_scale);
        for (int b = 0; b < 8; ++b) {
            const float sub_scale = scale * float(block.levels.scale(b));
            const float minimum = min_scale * float(block.levels.min(b));
            const uint8_t* const codes = block.codes + b / 2 * 32;
            const int shift = b % 2 * 4;
            for (int l = 0; l < 32; ++l) {
                const int code = (codes[l] >> shift & 15) | (block.fifth_bits[l] >> b & 1) << 4;
                out[32 * b + l] = sub_scale * float(code) - minimum;
            }
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        const AffineSuperBlock fitted = fit_affine_super_block(in, q5_k_shape);
        Block block = {
            fitted.scale, fitted.min_scale, pack_scales(fitted), {}, {}};
        for (int i = 0; i < block_size; ++i) {
            const int sub_block = i / 32;
            const int code = fitted.codes[i];
            block.codes[sub_block / 2 * 32 + i % 32] |=
                uint8_t((code & 15) << (sub_block % 2 * 4));
            block.fifth_bits[i % 32] |= uint8_t((code >> 4) << sub_block);
        }
        return block;
    }
};

}  // namespace ingle::quant
