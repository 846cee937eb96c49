// I8: a value is a whole number, rounded to nearest even and kept within its range when it is
// written.                                                            8 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "quant/support/whole.h"

namespace ingle::quant {

struct I8 {
    static constexpr std::string_view name = "I8";
    static constexpr uint32_t gguf_id = 24;
    static constexpr int block_size = 1;

    struct Block {
        int8_t value;
    };
    static_assert(sizeof(Block) == 1, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        out[0] = float(block.value);
    }

    static Block encode(float value) { return {to_whole<int8_t>(value)}; }
};

}  // namespace ingle::quant
