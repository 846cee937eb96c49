// I64: a value is a whole number, rounded to f32 when it is read; rounded to nearest even and kept
// within its range when it is written.
// 64 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "quant/support/whole.h"

namespace ingle::quant {

struct I64 {
    static constexpr std::string_view name = "I64";
    static constexpr uint32_t gguf_id = 27;
    static constexpr int block_size = 1;

    struct Block {
        int64_t value;
    };
    static_assert(sizeof(Block) == 8, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        out[0] = float(block.value);
    }

    static Block encode(float value) { return {to_whole<int64_t>(value)}; }
};

}  // namespace ingle::quant
