// F32: a value is stored as it is, IEEE single precision.          32 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "quant/support/encode_context.h"

namespace ingle::quant {

struct F32 {
    static constexpr std::string_view name = "F32";
    static constexpr uint32_t gguf_id = 0;
    static constexpr int block_size = 1;

    struct Block {
        float value;
    };
    static_assert(sizeof(Block) == 4, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        out[0] = block.value;
    }

    static void encode_row(std::span<const float> in, std::span<Block> out, const EncodeContext&) {
        for (size_t i = 0; i < out.size(); ++i) out[i].value = in[i];
    }
};

}  // namespace ingle::quant
