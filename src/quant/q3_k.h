// Q3_K: 256 weights in 16 sub-blocks of 16; each weight is a 3-bit code, each scale a 6-bit number.
//
//   value[i] = scale * (levels[i / 16] - 32) * (code[i] - 4)          3.4375 bits per weight
//
// Weight 128h + 32k + l (h = half, k = quarter of it) has its low 2 bits at bit 2k of byte 32h + l
// of low_bits and its top bit at bit 4h + k of byte l of top_bits.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/signed_super_block.h"

namespace ingle::quant {

struct Q3_K {
    static constexpr std::string_view name = "Q3_K";
    static constexpr uint32_t gguf_id = 11;
    static constexpr int block_size = 256;

    // Sixteen 6-bit numbers. Byte k < 8 holds the low 4 bits of numbers k and, above them, k + 8;
    // byte 8 + k the top 2 bits of k, k + 4, k + 8 and k + 12, from its lowest bits on.
    struct Levels {
        uint8_t bytes[12];

        int operator[](int b) const {
            const int low = bytes[b % 8] >> (b / 8 * 4) & 15;
            return low | (bytes[8 + b % 4] >> (b / 4 * 2) & 3) << 4;
        }
        void add(int b, int level) {
            bytes[b % 8] |= uint8_t((level & 15) << (b / 8 * 4));
            bytes[8 + b % 4] |= uint8_t((level >> 4) << (b / 4 * 2));
        }
    };
    struct Block {
        uint8_t top_bits[32];
        uint8_t low_bits[64];
        Levels levels;
        f16 scale;
    };
    static_assert(sizeof(Block) == 110, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float scale = to_f32(block.scale);
        for (int b = 0; b < 16; ++b) {
            const float sub_scale = scale * float(block.levels[b] - 32);
            const uint8_t* const low_bits = block.low_bits + low_byte(16 * b);
            const uint8_t* const top_bits = block.top_bits + b % 2 * 16;
            for (int l = 0; l < 16; ++l) {
                const int low = low_bits[l] >> low_shift(16 * b) & 3;
                const int top = top_bits[l] >> (b / 2) & 1;
                out[16 * b + l] = sub_scale * float((low | top << 2) - 4);
            }
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        const SignedSuperBlock fitted = fit_signed_super_block(in, q3_k_shape);
        Block block = {};
        block.scale = fitted.scale;
        for (int b = 0; b < 16; ++b) block.levels.add(b, fitted.scales[b] + 32);
        for (int i = 0; i < block_size; ++i) {
            block.low_bits[low_byte(i)] |= uint8_t((fitted.codes[i] & 3) << low_shift(i));
            block.top_bits[i % 32] |= uint8_t((fitted.codes[i] >> 2) << (i / 32));
        }
        return block;
    }

  private:
    static int low_byte(int i) { return i / 128 * 32 + i % 32; }
    static int low_shift(int i) { return i / 32 % 4 * 2; }
};

}  // namespace ingle::quant
