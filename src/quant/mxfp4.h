// MXFP4 (OCP microscaling): 32 weights share a power of two; each weight is a 4-bit float.
//
//   value[i] = 2^(exponent - 127) * e2m1(code[i])          4.25 bits per weight
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/fp4.h"
#include "quant/support/level_table.h"
#include "quant/support/nibbles.h"

namespace ingle::quant {

struct MXFP4 {
    static constexpr std::string_view name = "MXFP4";
    static constexpr uint32_t gguf_id = 39;
    static constexpr int block_size = 32;

    struct Block {
        uint8_t exponent;
        uint8_t codes[block_size / 2];  // byte j: code j in the low nibble, code j + 16 in the high
    };
    static_assert(sizeof(Block) == 17, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        const float half_scale = half_of_e8m0(block.exponent);
        for (int j = 0; j < block_size / 2; ++j) {
            out[j] = half_scale * float(e2m1_doubled[block.codes[j] & 15]);
            out[j + 16] = half_scale * float(e2m1_doubled[block.codes[j] >> 4]);
        }
    }

    // Of the exponents that keep the largest weight within the levels or cut it by less than half,
    // the one that loses least.
    static Block encode(const EncodeBlock<block_size>& in) {
        Block block = {};
        float peak = 0;
        for (const float value : in.values) peak = std::max(peak, std::abs(value));
        if (peak >= magnitude_min) {
            const int fitting = 127 + std::ilogb(peak) - 2;  // peak is in [4, 8) units
            float best = std::numeric_limits<float>::infinity();
            for (int exponent = fitting - 1; exponent <= fitting + 1; ++exponent) {
                const float error = level_error(in.values, in.weights,
                                                half_of_e8m0(uint8_t(exponent)), fp4_levels);
                if (error >= best) continue;
                best = error;
                block.exponent = uint8_t(exponent);
            }
        }
        uint8_t codes[block_size];
        nearest_levels(in.values, half_of_e8m0(block.exponent), fp4_levels, codes);
        for (uint8_t& code : codes) code = fp4_code(code);
        pack_nibbles(codes, block.codes);
        return block;
    }
};

}  // namespace ingle::quant
