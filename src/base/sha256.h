// SHA-256 (FIPS 180-4), for telling whether two files or tensors hold the same bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ingle {

class Sha256 {
  public:
    void update(std::span<const std::byte> bytes);
    // The digest in 64 hexadecimal digits. Once, at the end.
    std::string finish();

  private:
    void block(const std::byte* bytes);

    std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, 64> held_ = {};
    uint64_t total_ = 0;  // bytes
};

}  // namespace ingle
