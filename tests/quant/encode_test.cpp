// What every encoder promises: bounded error, defined results for any float, importance that
// matters.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "quant/support/affine_super_block.h"
#include "quant/support/format.h"
#include "support/each_format.h"
#include "support/fixtures.h"

namespace ingle {

namespace {

constexpr int64_t row_size = 512;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

std::vector<float> round_trip(const quant::FormatInfo& format, const std::vector<float>& row,
                              const quant::EncodeContext& context = {}) {
    const auto columns = int64_t(row.size());
    std::vector<std::byte> blocks(quant::row_bytes(format, columns).value());
    std::vector<float> decoded(row.size());
    format.encode_row(row.data(), columns, blocks.data(), context);
    format.decode_row(blocks.data(), columns, decoded.data());
    return decoded;
}

std::vector<float> gaussian_row(uint64_t seed, float scale) {
    Random random(seed);
    std::vector<float> row(row_size);
    for (float& value : row) value = scale * float(random.normal());
    return row;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
    return std::sqrt(sum / double(a.size()));
}

template <class Format>
const quant::FormatInfo& info() {
    return *quant::find_format(Format::gguf_id);
}

// Formats of single values: conversions, not codes on a scale.
template <class Format>
constexpr bool is_plain = Format::block_size == 1;

// Plain formats that only hold whole numbers: I8 to I64.
template <class Format>
constexpr bool is_whole = is_plain<Format> && Format::name[0] == 'I';

// The magnitude that a format reaches at least. NVFP4 leaves more to a factor beside the tensor.
template <class Format>
constexpr float reach = Format::name == "NVFP4" ? 2600.0f : 60000.0f;

}  // namespace

// A b-bit code spans a block in about 2^b steps; a quarter of the largest magnitude over 2^(b-4) is
// two steps, which leaves room for the rounding of the scales.
template <class Format>
void every_value_comes_back_within_two_steps() {
    if (is_plain<Format>) return;
    const double bits = std::floor(info<Format>().bits_per_weight());
    for (const float scale : {1e-3f, 1.0f, 100.0f}) {
        const auto row = gaussian_row(7, scale);
        const auto decoded = round_trip(info<Format>(), row);
        for (int64_t block = 0; block < row_size; block += Format::block_size) {
            double peak = 0, error = 0;
            for (int64_t i = block; i < block + Format::block_size; ++i) {
                peak = std::max(peak, std::abs(double(row[i])));
                error = std::max(error, std::abs(double(decoded[i]) - row[i]));
            }
            EXPECT_LE(error, peak * std::exp2(2 - bits)) << "block at " << block;
        }
    }
}
TEST_EACH_FORMAT(every_value_comes_back_within_two_steps)

template <class Format>
void encoding_what_was_decoded_adds_less_than_the_first_error() {
    const auto row = gaussian_row(8, 0.05f);
    const auto once = round_trip(info<Format>(), row);
    const auto twice = round_trip(info<Format>(), once);
    EXPECT_LE(distance(twice, once), 0.8 * distance(once, row));
}
TEST_EACH_FORMAT(encoding_what_was_decoded_adds_less_than_the_first_error)

template <class Format>
void a_row_of_zeros_stays_zero() {
    for (const float value : round_trip(info<Format>(), std::vector<float>(row_size))) {
        ASSERT_EQ(value, 0.0f);
    }
}
TEST_EACH_FORMAT(a_row_of_zeros_stays_zero)

template <class Format>
void a_constant_row_stays_constant() {
    if (is_whole<Format>) return;
    for (const float constant : {0.125f, -0.75f, 3.0f}) {
        const std::vector<float> row(row_size, constant);
        for (const float value : round_trip(info<Format>(), row)) {
            ASSERT_NEAR(value, constant, std::abs(constant) * 0.01f);
        }
    }
}
TEST_EACH_FORMAT(a_constant_row_stays_constant)

template <class Format>
void any_bit_pattern_encodes_to_finite_blocks() {
    Random random(9);
    for (int round = 0; round < 50; ++round) {
        std::vector<float> row(row_size);
        for (float& value : row) value = std::bit_cast<float>(uint32_t(random.next()));
        const auto decoded = round_trip(info<Format>(), row);
        if (is_plain<Format>) continue;
        for (const float value : decoded) ASSERT_TRUE(std::isfinite(value));
    }
}
TEST_EACH_FORMAT(any_bit_pattern_encodes_to_finite_blocks)

template <class Format>
void nan_becomes_zero_in_blocks_and_stays_elsewhere() {
    if (is_whole<Format>) return;
    const std::vector<float> all_nan(row_size, not_a_number);
    for (const float value : round_trip(info<Format>(), all_nan)) {
        ASSERT_TRUE(is_plain<Format> ? std::isnan(value) : value == 0.0f) << value;
    }
    auto row = gaussian_row(10, 1.0f);
    row[3] = not_a_number;
    row[200] = -not_a_number;
    auto clean = row;
    clean[3] = clean[200] = 0;
    const auto decoded = round_trip(info<Format>(), row);
    const auto expected = round_trip(info<Format>(), clean);
    for (size_t i = 0; i < row.size(); ++i) {
        if (is_plain<Format> && std::isnan(row[i])) continue;
        ASSERT_EQ(decoded[i], expected[i]) << i;
    }
}
TEST_EACH_FORMAT(nan_becomes_zero_in_blocks_and_stays_elsewhere)

template <class Format>
void infinity_saturates_in_blocks_and_stays_elsewhere() {
    if (is_whole<Format>) return;
    std::vector<float> row(row_size, infinity);
    row[0] = -infinity;
    const auto decoded = round_trip(info<Format>(), row);
    if (is_plain<Format>) {
        EXPECT_EQ(decoded, row);
        return;
    }
    EXPECT_LT(decoded[0], -reach<Format>);
    EXPECT_GT(decoded[1], reach<Format>);
    for (const float value : decoded) ASSERT_TRUE(std::isfinite(value));
}
TEST_EACH_FORMAT(infinity_saturates_in_blocks_and_stays_elsewhere)

template <class Format>
void values_too_small_for_the_scales_become_small_or_zero() {
    for (const float scale : {1e-4f, 1e-5f, 1e-6f, 1e-8f, 1e-20f, 1e-38f, 1e-44f}) {
        const auto row = gaussian_row(11, scale);
        const auto decoded = round_trip(info<Format>(), row);
        for (size_t i = 0; i < row.size(); ++i) {
            // Within the values' own size, plus one unit of the smallest half-precision scale.
            ASSERT_NEAR(decoded[i], row[i], 4 * scale + 0x1p-24f) << "scale " << scale;
        }
    }
}
TEST_EACH_FORMAT(values_too_small_for_the_scales_become_small_or_zero)

template <class Format>
void columns_of_importance_are_kept_better() {
    if (is_plain<Format> || Format::name == "Q8_0") return;  // nothing to trade
    std::vector<float> importance(row_size, 1.0f);
    for (size_t i = 0; i < importance.size(); i += 4) importance[i] = 100.0f;
    double even = 0, weighted = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const auto row = gaussian_row(seed, 1.0f);
        const auto plain = round_trip(info<Format>(), row);
        const auto tuned = round_trip(info<Format>(), row, {importance});
        for (size_t i = 0; i < row.size(); i += 4) {
            even += std::pow(double(plain[i]) - row[i], 2);
            weighted += std::pow(double(tuned[i]) - row[i], 2);
        }
    }
    // Where 2 or 3 levels and one scale for at least 128 weights are all there is to choose,
    // fitting that scale to a quarter of them gains little.
    const bool has_one_choice = Format::block_size >= 128 && Format::name.ends_with("_0");
    EXPECT_LT(weighted, (has_one_choice ? 0.99 : 0.97) * even);
}
TEST_EACH_FORMAT(columns_of_importance_are_kept_better)

template <class Format>
void importance_of_no_use_counts_as_none() {
    const auto row = gaussian_row(12, 1.0f);
    const auto plain = round_trip(info<Format>(), row);
    for (const float useless : {0.0f, -1.0f, infinity, not_a_number}) {
        const std::vector<float> importance(row_size, useless);
        EXPECT_EQ(round_trip(info<Format>(), row, {importance}), plain) << useless;
    }
    // Only the proportions of weights matter, be they tiny or huge.
    for (const float same : {1e-40f, 1e-30f, 1e30f}) {
        const std::vector<float> importance(row_size, same);
        EXPECT_EQ(round_trip(info<Format>(), row, {importance}), plain) << same;
    }
}
TEST_EACH_FORMAT(importance_of_no_use_counts_as_none)

template <class Format>
void plain_formats_encode_their_own_values_bit_for_bit() {
    if (!is_plain<Format> || test::is_conversion<Format>) return;
    const auto folder = test::fixtures() / "quant";
    INGLE_NEEDS(folder);
    const std::string blocks = test::bytes_of(folder / cat(Format::name, ".blocks.bin"));
    const auto values = test::array_of<float>(folder / cat(Format::name, ".values.f32"));
    std::string written(blocks.size(), 'x');
    info<Format>().encode_row(values.data(), int64_t(values.size()),
                              reinterpret_cast<std::byte*>(written.data()), {});
    EXPECT_TRUE(written == blocks);
}
TEST_EACH_FORMAT(plain_formats_encode_their_own_values_bit_for_bit)

TEST(WholeNumbers, are_rounded_to_even_and_kept_within_their_range) {
    const std::vector<float> row = {0.5f, 1.5f, -2.5f, -3.6f, 1e30f, -infinity, not_a_number, 100};
    const std::vector<float> nearest = {0, 2, -2, -4};
    for (const auto& [name, largest] : {std::pair("I8", 127.0f), {"I16", 32767.0f},
                                        {"I32", 0x1p31f}, {"I64", 0x1p63f}}) {
        const auto decoded = round_trip(*quant::find_format(name), row);
        EXPECT_TRUE(std::equal(nearest.begin(), nearest.end(), decoded.begin())) << name;
        EXPECT_EQ(decoded[4], largest) << name;
        EXPECT_EQ(decoded[5], name == std::string_view("I8")    ? -128.0f
                              : name == std::string_view("I16") ? -32768.0f
                                                                : -largest)
            << name;
        EXPECT_EQ(decoded[6], 0) << name;
        EXPECT_EQ(decoded[7], 100) << name;
    }
}

TEST(PackedScales, every_six_bit_pair_comes_back) {
    Random random(13);
    for (int round = 0; round < 1000; ++round) {
        uint8_t scales[8], mins[8];
        for (int b = 0; b < 8; ++b) {
            scales[b] = uint8_t(random.below(64));
            mins[b] = uint8_t(random.below(64));
        }
        const auto packed = quant::pack_scales(scales, mins);
        for (int b = 0; b < 8; ++b) {
            ASSERT_EQ(packed.scale(b), scales[b]);
            ASSERT_EQ(packed.min(b), mins[b]);
        }
    }
}

}  // namespace ingle
