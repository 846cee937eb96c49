#include "sampling/mersenne_twister.h"

namespace ingle::sampling {

MersenneTwister::MersenneTwister(uint32_t seed) {
    state_[0] = seed;
    for (size_t i = 1; i < words; ++i)
        state_[i] = 1812433253u * (state_[i - 1] ^ state_[i - 1] >> 30) + uint32_t(i);
}

void MersenneTwister::refill() {
    constexpr size_t middle = 397;
    for (size_t i = 0; i < words; ++i) {
        const uint32_t joined =
            (state_[i] & 0x80000000u) | (state_[(i + 1) % words] & 0x7fffffffu);
        const uint32_t twisted = joined >> 1 ^ (joined % 2 == 0 ? 0 : 0x9908b0dfu);
        state_[i] = state_[(i + middle) % words] ^ twisted;
    }
    place_ = 0;
}

double MersenneTwister::uniform() {
    const double low = next();
    const double high = next();
    const double whole = (low + high * 0x1p32) * 0x1p-64;
    // The sum of the greatest words rounds to 1.
    return whole < 1 ? whole : 1 - 0x1p-53;
}

}  // namespace ingle::sampling
