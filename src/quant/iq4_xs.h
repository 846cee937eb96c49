// IQ4_XS: 256 weights in 8 sub-blocks of 32; each weight is one of 16 uneven levels, each scale a
// 6-bit number.
//
//   value[i] = scale * (level[b] - 32) * iq4_levels[code[i]],  b = i / 32
//                                                                       4.25 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/iq4_levels.h"
#include "quant/support/signed_super_block.h"

namespace ingle::quant {

struct IQ4_XS {
    static constexpr std::string_view name = "IQ4_XS";
    static constexpr uint32_t gguf_id = 23;
    static constexpr int block_size = 256;

    struct Block {
        f16 scale;
        uint16_t high_levels;           // bits 2b and 2b + 1: the top 2 bits of level b
        uint8_t low_levels[4];          // byte k: the low 4 bits of level 2k, then of 2k + 1
        uint8_t codes[block_size / 2];  // byte 16b + j: codes 32b + j (low nibble), 32b + 16 + j

        int level(int b) const {
            return (low_levels[b / 2] >> (b % 2 * 4) & 15) | (high_levels >> (2 * b) & 3) << 4;
        }
    };
    static_assert(sizeof(Block) == 136, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (int b = 0; b < 8; ++b) {
            const float sub_scale = scale * float(block.level(b) - 32);
            for (int j = 0; j < 16; ++j) {
                const int codes = block.codes[16 * b + j];
                out[32 * b + j] = sub_scale * iq4_levels[codes & 15];
                out[32 * b + 16 + j] = sub_scale * iq4_levels[codes >> 4];
            }
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        const SignedSuperBlock fitted = fit_signed_super_block(in, iq4_xs_shape);
        Block block = {};
        block.scale = fitted.scale;
        for (int b = 0; b < 8; ++b) {
            const int level = fitted.scales[b] + 32;
            block.low_levels[b / 2] |= uint8_t((level & 15) << (b % 2 * 4));
            block.high_levels = uint16_t(block.high_levels | (level >> 4) << (2 * b));
        }
        for (int i = 0; i < block_size; ++i) {
            block.codes[i / 32 * 16 + i % 16] |= uint8_t(fitted.codes[i] << (i / 16 % 2 * 4));
        }
        return block;
    }
};

}  // namespace ingle::quant
