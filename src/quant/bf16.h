// BF16: a value is stored as the upper half of an F32, rounded to nearest even.
//                                                                  16 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"

namespace ingle::quant {

struct BF16 {
    static constexpr std::string_view name = "BF16";
    static constexpr uint32_t gguf_id = 30;
    static constexpr int block_size = 1;

    struct Block {
        bf16 value;
    };
    static_assert(sizeof(Block) == 2, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        out[0] = to_f32(block.value);
    }

    static Block encode(float value) { return {to_bf16(value)}; }
};

}  // namespace ingle::quant
