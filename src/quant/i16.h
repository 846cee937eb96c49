// I16: a value is a whole number, rounded to nearest even and kept within its range when it is
// written.                                                            16 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "quant/support/whole.h"

namespace ingle::quant {

struct I16 {
    static constexpr std::string_view name = "I16";
    static constexpr uint32_t gguf_id = 25;
    static constexpr int block_size = 1;

    struct Block {
        int16_t value;
    };
    static_assert(sizeof(Block) == 2, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        out[0] = float(block.value);
    }

    static Block encode(float value) { return {to_whole<int16_t>(value)}; }
};

}  // namespace ingle::quant
