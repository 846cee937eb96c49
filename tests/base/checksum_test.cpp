// Any change of any byte shows, however the bytes are cut into updates.
#include "base/checksum.h"

#include <gtest/gtest.h>

#include <vector>

namespace ingle {

namespace {

uint64_t sum_of(std::span<const std::byte> bytes, size_t step) {
    Checksum sum;
    for (size_t at = 0; at < bytes.size(); at += step)
        sum.update(bytes.subspan(at, std::min(step, bytes.size() - at)));
    return sum.value();
}

TEST(Checksum, does_not_depend_on_how_bytes_are_handed_over) {
    std::vector<std::byte> bytes(1000);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i * 7);
    for (const size_t step : {1, 3, 31, 32, 33, 500}) EXPECT_EQ(sum_of(bytes, step), sum_of(bytes, 1000));
}

TEST(Checksum, shows_every_changed_bit_and_every_length) {
    std::vector<std::byte> bytes(100);
    const uint64_t right = sum_of(bytes, 100);
    for (size_t i = 0; i < 800; ++i) {
        bytes[i / 8] ^= std::byte(1 << i % 8);
        EXPECT_NE(sum_of(bytes, 100), right) << "bit " << i;
        bytes[i / 8] ^= std::byte(1 << i % 8);
    }
    for (size_t count = 0; count < 100; ++count)
        EXPECT_NE(sum_of(std::span(bytes).first(count), 100), right) << count << " bytes";
}

}  // namespace

}  // namespace ingle
