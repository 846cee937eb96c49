// Blocks of random bytes decode to what the PyPI package `gguf` makes of them: recorded by
// tools/quant_vectors.py. No pattern of bits is an error, so all of them must agree.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "quant/support/format.h"
#include "support/each_format.h"
#include "support/fixtures.h"
#include "support/sha256.h"

namespace ingle {

namespace {

// As in tools/quant_vectors.py.
std::string random_bytes(size_t count, uint64_t state) {
    std::string bytes;
    while (bytes.size() < count) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes += char(state >> 56);
    }
    return bytes;
}

}  // namespace

template <class Format>
void random_blocks_decode_as_recorded() {
    const auto path = test::source_dir() / "tests/quant/data/random_blocks.json";
    const auto recorded = nlohmann::json::parse(test::bytes_of(path));
    const auto found = recorded["sha256"].find(std::string(Format::name));
    if (found == recorded["sha256"].end()) {
        // The package cannot decode these; quant/ of the test data covers them.
        EXPECT_TRUE(test::is_conversion<Format> || Format::name == "F16" ||
                    Format::name == "Q1_0" || Format::name == "Q2_0");
        return;
    }
    const quant::FormatInfo& format = *quant::find_format(Format::gguf_id);
    const size_t blocks = recorded["blocks"];
    const std::string bytes = random_bytes(blocks * format.block_bytes, Format::gguf_id);
    std::vector<float> values(blocks * size_t(format.block_size));
    format.decode_row(reinterpret_cast<const std::byte*>(bytes.data()), int64_t(values.size()),
                      values.data());
    std::string bits;
    for (const float value : values) {
        const uint32_t word = value == value ? std::bit_cast<uint32_t>(value) : 0x7fc00000u;
        for (int shift = 0; shift < 32; shift += 8) bits += char(word >> shift & 255);
    }
    EXPECT_EQ(test::sha256(bits), found->get<std::string>());
}
TEST_EACH_FORMAT(random_blocks_decode_as_recorded)

}  // namespace ingle
