// TQ1_0: 256 weights share one f16 scale; each weight is -1, 0 or 1, and a byte holds five.
//
//   value[i] = scale * (trit[i] - 1)          1.6875 bits per weight
//
// A byte holds trits t0 to t4 as ceil(256 / 243 * (81 t0 + 27 t1 + 9 t2 + 3 t3 + t4)), that is as a
// fraction of 256: times 3 without the carry, the next trit is in front, and the carry was the
// last.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/float16.h"
#include "quant/support/fit.h"
#include "quant/support/level_table.h"

namespace ingle::quant {

struct TQ1_0 {
    static constexpr std::string_view name = "TQ1_0";
    static constexpr uint32_t gguf_id = 34;
    static constexpr int block_size = 256;

    struct Block {
        uint8_t trits[52];  // bytes 0 - 31: weights 32n + byte; 32 - 47: 160 + 16n + byte - 32;
                            // 48 - 51: 240 + 4n + byte - 48;  n is the number of the trit in its
                            // byte
        f16 scale;
    };
    static_assert(sizeof(Block) == 54, "GGUF fixes this layout");

    struct Place {
        int byte, trit;
    };
    static constexpr Place place(int i) {
        if (i < 160) return {i % 32, i / 32};
        if (i < 240) return {32 + (i - 160) % 16, (i - 160) / 16};
        return {48 + (i - 240) % 4, (i - 240) / 4};
    }

    static void decode(const Block& block, std::span<float, block_size> out) {
        constexpr int powers[] = {1, 3, 9, 27, 81};
        const float scale = to_f32(block.scale);
        for (int i = 0; i < block_size; ++i) {
            const Place at = place(i);
            const int fraction = block.trits[at.byte] * powers[at.trit] & 255;
            out[i] = scale * float((fraction * 3 >> 8) - 1);
        }
    }

    static Block encode(const EncodeBlock<block_size>& in) {
        static constexpr float levels[] = {-1, 0, 1};
        constexpr int weights[] = {81, 27, 9, 3, 1};
        Block block = {};
        block.scale = to_finite_f16(fit_level_scale(in.values, in.weights, levels));
        uint8_t trits[block_size];
        nearest_levels(in.values, to_f32(block.scale), levels, trits);
        int sums[52] = {};
        for (int i = 0; i < block_size; ++i) {
            sums[place(i).byte] += trits[i] * weights[place(i).trit];
        }
        for (int byte = 0; byte < 52; ++byte) {
            block.trits[byte] = uint8_t((sums[byte] * 256 + 242) / 243);
        }
        return block;
    }
};

}  // namespace ingle::quant
