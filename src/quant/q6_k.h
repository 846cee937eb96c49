// Q6_K: 256 weights in 16 sub-blocks of 16; each weight is a 6-bit code, each scale a signed byte.
//
//   value[i] = scale * scales[i / 16] * (code[i] - 32)          6.5625 bits per weight
//
// Weight 128h + 32k + l (h = half, k = quarter of it) has its low 4 bits in byte
// 64h + 32(k % 2) + l of low_bits, in the upper nibble for k >= 2, and its top 2 bits in byte
// 32h + l of high_bits, at bit 2k.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/encode_context.h"
#include "quant/support/fit.h"

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

    static void encode_row(std::span<const float> in, std::span<Block> out,
                           const EncodeContext& context) {
        for (size_t b = 0; b < out.size(); ++b) {
            out[b] = encode(EncodeBlock<block_size>(in, context, b));
        }
    }

  private:
    static int low_byte(int i) { return i / 128 * 64 + i % 64; }
    static int high_byte(int i) { return i / 128 * 32 + i % 32; }

    static Block encode(const EncodeBlock<block_size>& in) {
        float fitted[16];
        float peak = 0;  // with its sign: it is coded as -128
        for (int b = 0; b < 16; ++b) {
            fitted[b] = fit_scale(std::span(in.values).subspan(size_t(16 * b), 16),
                                  std::span(in.weights).subspan(size_t(16 * b), 16), 32);
            if (std::abs(fitted[b]) > std::abs(peak)) peak = fitted[b];
        }
        Block block = {};
        block.scale = unit_of(-peak, 128);
        const float inverse = inverse_of(to_f32(block.scale));
        for (int b = 0; b < 16; ++b) {
            block.scales[b] = int8_t(round_code(fitted[b] * inverse, -128, 127));
            const float sub_inverse = inverse_of(to_f32(block.scale) * float(block.scales[b]));
            for (int i = 16 * b; i < 16 * (b + 1); ++i) {
                const int code = round_code(in.values[i] * sub_inverse, -32, 31) + 32;
                block.low_bits[low_byte(i)] |= uint8_t((code & 15) << (b / 4 % 2 * 4));
                block.high_bits[high_byte(i)] |= uint8_t((code >> 4) << (b / 2 % 4 * 2));
            }
        }
        return block;
    }
};

}  // namespace ingle::quant
