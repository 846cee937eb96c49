// SHA-256 (FIPS 180-4) of bytes in memory, as 64 hexadecimal digits: for recorded expectations.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace ingle::test {

namespace detail {

inline bool is_prime(uint32_t n) {
    for (uint32_t d = 2; d * d <= n; ++d)
        if (n % d == 0) return false;
    return true;
}

// The first 32 bits behind the point of the square and cube roots of the first primes.
struct Sha256Constants {
    uint32_t start[8], round[64];
    Sha256Constants() {
        int count = 0;
        for (uint32_t n = 2; count < 64; ++n) {
            if (!is_prime(n)) continue;
            const long double square = std::sqrt(static_cast<long double>(n));
            const long double cube = std::cbrt(static_cast<long double>(n));
            if (count < 8) start[count] = uint32_t((square - std::floor(square)) * 0x1p32L);
            round[count++] = uint32_t((cube - std::floor(cube)) * 0x1p32L);
        }
    }
};

}  // namespace detail

inline std::string sha256(std::string_view message) {
    static const detail::Sha256Constants constants;
    std::string padded(message);
    padded += char(0x80);
    while (padded.size() % 64 != 56) padded += char(0);
    for (int shift = 56; shift >= 0; shift -= 8)
        padded += char(uint64_t(message.size()) * 8 >> shift & 255);

    uint32_t hash[8];
    for (int i = 0; i < 8; ++i) hash[i] = constants.start[i];
    for (size_t block = 0; block < padded.size(); block += 64) {
        uint32_t w[64];
        for (size_t i = 0; i < 16; ++i) {
            w[i] = 0;
            for (size_t k = 0; k < 4; ++k) w[i] = w[i] << 8 | uint8_t(padded[block + 4 * i + k]);
        }
        for (int i = 16; i < 64; ++i) {
            const uint32_t a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
                   (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
        }
        uint32_t s[8];
        for (int i = 0; i < 8; ++i) s[i] = hash[i];
        for (int i = 0; i < 64; ++i) {
            const uint32_t turned = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
            const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
            const uint32_t mixed = s[7] + turned + choice + constants.round[i] + w[i];
            const uint32_t first = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
            const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
            for (int k = 7; k > 0; --k) s[k] = s[k - 1];
            s[4] += mixed;
            s[0] = mixed + first + majority;
        }
        for (int i = 0; i < 8; ++i) hash[i] += s[i];
    }
    std::string text;
    for (const uint32_t word : hash)
        for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
    return text;
}

}  // namespace ingle::test
