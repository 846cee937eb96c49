// A fast 64-bit checksum against damage, not against malice: four chains of xor, rotate and multiply over 32 bytes at a
// time, folded together at the end. The same on every platform of the same byte order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace ingle {

class Checksum {
  public:
    void update(std::span<const std::byte> bytes) {
        total_ += bytes.size();
        size_t at = 0;
        if (held_ > 0) {
            at = std::min(sizeof(block_) - held_, bytes.size());
            std::memcpy(block_ + held_, bytes.data(), at);
            held_ += at;
            if (held_ < sizeof(block_)) return;
            mix(block_);
            held_ = 0;
        }
        for (; at + sizeof(block_) <= bytes.size(); at += sizeof(block_)) mix(bytes.data() + at);
        held_ = bytes.size() - at;
        std::memcpy(block_, bytes.data() + at, held_);
    }

    // Of all bytes so far; more may follow.
    uint64_t value() const {
        Checksum end = *this;
        std::memset(end.block_ + end.held_, 0, sizeof(block_) - end.held_);
        end.mix(end.block_);
        uint64_t sum = total_;
        for (const uint64_t chain : end.chains_) sum = (std::rotl(sum, 23) ^ chain) * prime;
        return sum ^ (sum >> 29);
    }

  private:
    static constexpr uint64_t prime = 0x9e3779b97f4a7c15u;  // odd: no bit is lost

    void mix(const std::byte* bytes) {
        uint64_t words[4];
        std::memcpy(words, bytes, sizeof(words));
        for (size_t i = 0; i < 4; ++i)
            chains_[i] = std::rotl(chains_[i] ^ words[i], 29) * prime;
    }

    uint64_t chains_[4] = {1, 2, 3, 4};
    std::byte block_[32] = {};
    size_t held_ = 0;  // bytes in block_
    uint64_t total_ = 0;
};

}  // namespace ingle
