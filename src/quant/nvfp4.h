// NVFP4: 64 weights in 4 sub-blocks of 16, each with an 8-bit float as scale; each weight is a
// 4-bit float.
//
//   value[i] = ue4m3(scales[i / 16]) * e2m1(code[i])          4.5 bits per weight
//
// A tensor NAME.weight may have a factor for all its values beside it, in a tensor NAME.scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/fp4.h"
#include "quant/support/level_table.h"

namespace ingle::quant {

struct NVFP4 {
    static constexpr std::string_view name = "NVFP4";
    static constexpr uint32_t gguf_id = 40;
    static constexpr int block_size = 64;

    struct Block {
        uint8_t scales[4];
        uint8_t codes[block_size / 2];  // byte 8b + j: codes 16b + j (low nibble) and 16b + 8 + j
    };
    static_assert(sizeof(Block) == 36, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        for (int b = 0; b < 4; ++b) {
            const float half_scale = half_of_ue4m3(block.scales[b]);
            for (int j = 0; j < 8; ++j) {
                const int codes = block.codes[8 * b + j];
                out[16 * b + j] = half_scale * float(e2m1_doubled[codes & 15]);
                out[16 * b + 8 + j] = half_scale * float(e2m1_doubled[codes >> 4]);
            }
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        Block block = {};
        for (int b = 0; b < 4; ++b) {
            const auto values = std::span(in.values).subspan(size_t(16 * b), 16);
            const auto weights = std::span(in.weights).subspan(size_t(16 * b), 16);
            block.scales[b] = choose_scale(values, weights);
            uint8_t codes[16];
            nearest_levels(values, half_of_ue4m3(block.scales[b]), fp4_levels, codes);
            for (int j = 0; j < 8; ++j) {
                block.codes[8 * b + j] = uint8_t(fp4_code(codes[j]) | fp4_code(codes[j + 8]) << 4);
            }
        }
        return block;
    }

  private:
    // The scale that loses least, of those that put the largest weight between 2/3 and 3/2 of the
    // largest level. Scales are coarse; that is about ten of them.
    static uint8_t choose_scale(std::span<const float> values, std::span<const float> weights) {
        float peak = 0;
        for (const float value : values) peak = std::max(peak, std::abs(value));
        uint8_t best = 0;
        float best_error = level_error(values, weights, 0, fp4_levels);
        for (int scale = 1; scale <= ue4m3_largest; ++scale) {
            const float half_scale = half_of_ue4m3(uint8_t(scale));
            const bool is_last = scale == ue4m3_largest && best == 0;
            if (half_scale < peak / 18 && !is_last) continue;
            if (half_scale > peak / 8 && best != 0) break;
            const float error = level_error(values, weights, half_scale, fp4_levels);
            if (error >= best_error) continue;
            best_error = error;
            best = uint8_t(scale);
        }
        return best;
    }
};

}  // namespace ingle::quant
