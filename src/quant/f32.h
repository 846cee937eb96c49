// F32: a value is stored as it is, IEEE single precision.          32 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>


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

    static Block encode(float value) { return {value}; }
};

}  // namespace ingle::quant
