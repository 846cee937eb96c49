// Signs of 8 weights in 7 bits: the number of minus signs is even, so the eighth sign follows.
#pragma once

#include <cstdint>

namespace ingle::quant {

// Bit k set: weight k is negative. Of `code` the lowest 7 bits count.
constexpr uint8_t even_signs(uint32_t code) {
    uint32_t bits = code & 127;
    uint32_t parity = bits ^ bits >> 4;
    parity ^= parity >> 2;
    parity ^= parity >> 1;
    return uint8_t(bits | (parity & 1) << 7);
}

}  // namespace ingle::quant
