// @NAME@: how its values are stored, in one line.
//
//   value[i] = its equation                   @bits@ bits per weight
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "quant/support/encode_context.h"

namespace ingle::quant {

struct @NAME@ {
    static constexpr std::string_view name = "@NAME@";
    static constexpr uint32_t gguf_id = @gguf_id@;
    static constexpr int block_size = @block_size@;

    struct Block {
        int8_t codes[@block_bytes@];
    };
    static_assert(sizeof(Block) == @block_bytes@, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        for (size_t i = 0; i < out.size(); ++i) out[i] = float(block.codes[i * @block_bytes@ / block_size]);
    }

    static void encode_row(std::span<const float> in, std::span<Block> out, const EncodeContext&) {
        for (size_t b = 0; b < out.size(); ++b)
            for (size_t i = 0; i < @block_bytes@; ++i) {
                const float value = in[b * block_size + i * block_size / @block_bytes@];
                out[b].codes[i] = int8_t(std::lround(std::clamp(std::isnan(value) ? 0 : value, -127.0f, 127.0f)));
            }
    }
};

}  // namespace ingle::quant
