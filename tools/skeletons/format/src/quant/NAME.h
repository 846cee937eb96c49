// @NAME@: how its values are stored, in one line.
//
//   value[i] = its equation                   @bits@ bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "quant/support/fit.h"

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

    static Block encode(const EncodeBlock<block_size>& in) {
        Block block;
        for (size_t i = 0; i < @block_bytes@; ++i)
            block.codes[i] = int8_t(round_code(in.values[i * block_size / @block_bytes@], -127, 127));
        return block;
    }
};

}  // namespace ingle::quant
