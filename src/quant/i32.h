// I32: a value is a whole number, rounded to f32 when it is read; rounded to nearest even and kept
// within its range when it is written.
// 32 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "quant/support/encode_context.h"
#include "quant/support/whole.h"

namespace ingle::quant {

struct I32 {
    static constexpr std::string_view name = "I32";
    static constexpr uint32_t gguf_id = 26;
    static constexpr int block_size = 1;

    struct Block {
        int32_t value;
    };
    static_assert(sizeof(Block) == 4, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        out[0] = float(block.value);
    }

    static void encode_row(std::span<const float> in, std::span<Block> out, const EncodeContext&) {
        for (size_t i = 0; i < out.size(); ++i) out[i].value = to_whole<int32_t>(in[i]);
    }
};

}  // namespace ingle::quant
