// Q4_K: 256 weights in 8 sub-blocks of 32; each weight is a 4-bit code.
//
//   value[i] = scale * scales[b] * code[i] - min_scale * mins[b],  b = i / 32
//                                                                       4.5 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/affine_super_block.h"
#include "quant/support/fit.h"

namespace ingle::quant {

struct Q4_K {
    static constexpr std::string_view name = "Q4_K";
    static constexpr uint32_t gguf_id = 12;
    static constexpr int block_size = 256;

    struct Block {
        f16 scale;
        f16 min_scale;
        PackedScales levels;
        uint8_t codes[block_size / 2];  // byte 32c + l: codes 64c + l (low nibble), 64c + 32 + l
    };
    static_assert(sizeof(Block) == 144, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        const float min_scale = to_f32(block.min_scale);
        for (int c = 0; c < 4; ++c) {
            const float low_scale = scale * float(block.levels.scale(2 * c));
            const float low_min = min_scale * float(block.levels.min(2 * c));
            const float high_scale = scale * float(block.levels.scale(2 * c + 1));
            const float high_min = min_scale * float(block.levels.min(2 * c + 1));
            for (int l = 0; l < 32; ++l) {
                const int codes = block.codes[32 * c + l];
                out[64 * c + l] = low_scale * float(codes & 15) - low_min;
                out[64 * c + 32 + l] = high_scale * float(codes >> 4) - high_min;
            }
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        const AffineSuperBlock fitted = fit_affine_super_block(in, q4_k_shape);
        Block block = {fitted.scale, fitted.min_scale, pack_scales(fitted), {}};
        for (int i = 0; i < block_size; ++i) {
            const int sub_block = i / 32;
            block.codes[sub_block / 2 * 32 + i % 32] |=
                uint8_t(fitted.codes[i] << (sub_block % 2 * 4));
        }
        return block;
    }
};

}  // namespace ingle::quant
