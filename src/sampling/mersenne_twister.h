// The Mersenne Twister of 32 bits (Matsumoto and Nishimura 1998), the mt19937 of the C++ standard: the generator that
// llama.cpp draws with, so that a seed means the same there and here. The same on every platform.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ingle::sampling {

class MersenneTwister {
  public:
    explicit MersenneTwister(uint32_t seed);

    uint32_t next() {
        if (place_ == words) refill();
        return tempered(state_[place_++]);
    }

    // Uniform in [0, 1), from two words, the first the lower: what std::uniform_real_distribution<double> gives
    // with libstdc++.
    double uniform();

  private:
    static constexpr size_t words = 624;

    static uint32_t tempered(uint32_t word) {
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c5680u;
        word ^= word << 15 & 0xefc60000u;
        return word ^ word >> 18;
    }
    void refill();

    std::array<uint32_t, words> state_;
    size_t place_ = words;
};

}  // namespace ingle::sampling
