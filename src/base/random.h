// Random numbers that are the same on every platform: SplitMix64 seeding and xoshiro256++ (Blackman and Vigna).
// The standard library's distributions differ between implementations; these do not.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace ingle {

inline uint64_t splitmix64(uint64_t& state) {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

class Random {
  public:
    explicit Random(uint64_t seed) {
        for (uint64_t& word : state_) word = splitmix64(seed);
    }

    uint64_t next() {
        const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // Uniform in [0, 1), 53 bits.
    double uniform() { return double(next() >> 11) * 0x1p-53; }
    // Uniform in [0, bound), bound > 0; multiply-shift, bias below 2^-32 for bounds under 2^32.
    uint64_t below(uint32_t bound) { return (next() >> 32) * bound >> 32; }
    // Standard normal by Box and Muller.
    double normal() {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(6.283185307179586 * uniform());
    }

  private:
    uint64_t state_[4];
};

}  // namespace ingle
