// F64: a value is an IEEE double; it is rounded to f32 when it is read.          64 bits per weight
#pragma once

#include <cstdint>
#include <span>
#include <string_view>


namespace ingle::quant {

struct F64 {
    static constexpr std::string_view name = "F64";
    static constexpr uint32_t gguf_id = 28;
    static constexpr int block_size = 1;

    struct Block {
        double value;
    };
    static_assert(sizeof(Block) == 8, "GGUF fixes this layout");

    static void decode(const Block& block, std::span<float, block_size> out) {
        out[0] = float(block.value);
    }

    static Block encode(float value) { return {double(value)}; }
};

}  // namespace ingle::quant
