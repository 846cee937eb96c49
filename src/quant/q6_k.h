// Q6_K: 256 weights in 16 sub-blocks of 16; each weight is a 6-bit code, each scale a signed byte.
//
//   value[i] = scale * scales[i / 16] * (code[i] - 32)          6.5625 bits per weight
//
// Weight 128h + 32k + l (h = half, k = quarter of it) has its low 4 bits in byte
// 64h + 32(k % 2) + l of low_bits, in the upper nibble for k >= 2, and its top 2 bits in byte
// 32h + l of high_bits, at bit 2k.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/signed_super_block.h"

namespace ingle::quant {

struct Q6_K {
    static constexpr std::string_view name = "Q6_K";
    static constexpr uint32_t gguf_id = 14;
    static constexpr int block_size = 256;

    struct Block {
        uint8_t low_bits[128];
        uint8_t high_bits[64];
        int8_t scales[16];
        f16 scale;
    };
    static_assert(sizeof(Block) == 210, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (int b = 0; b < 16; ++b) {
            const float sub_scale = scale * float(block.scales[b]);
            const uint8_t* const low_bits = block.low_bits + low_byte(16 * b);
            const uint8_t* const high_bits = block.high_bits + high_byte(16 * b);
            const int low_shift = b / 4 % 2 * 4;
            const int high_shift = b / 2 % 4 * 2;
            for (int l = 0; l < 16; ++l) {
                const int low = low_bits[l] >> low_shift & 15;
                const int high = high_bits[l] >> high_shift & 3;
                out[16 * b + l] = sub_scale * float((low | high << 4) - 32);
            }
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        const SignedSuperBlock fitted = fit_signed_super_block(in, q6_k_shape);
        Block block = {};
        block.scale = fitted.scale;
        for (int b = 0; b < 16; ++b) block.scales[b] = fitted.scales[b];
        for (int i = 0; i < block_size; ++i) {
            const int code = fitted.codes[i];
            block.low_bits[low_byte(i)] |= uint8_t((code & 15) << (i / 64 % 2 * 4));
            block.high_bits[high_byte(i)] |= uint8_t((code >> 4) << (i / 32 % 4 * 2));
        }
        return block;
    }

  private:
    static int low_byte(int i) { return i / 128 * 64 + i % 64; }
    static int high_byte(int i) { return i / 128 * 32 + i % 32; }
};

}  // namespace ingle::quant
