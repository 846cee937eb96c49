// The vector functions of every instruction set against the standard library's in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/simd/isa.h"
#include "base/float16.h"

namespace ingle::cpu {
struct FloatMathTable {
    using Function = void (*)(const float* x, int64_t n, float* out);
    Function exp, tanh, silu, gelu_tanh;
    void (*to_floats)(const f16* x, int64_t n, float* out);
    void (*to_halves)(const float* x, int64_t n, f16* out);
    void (*copy_some)(const float* x, int64_t count, float* all, float* out);
    float (*sum)(const float* x);
    float (*highest)(const float* x);
};
}  // namespace ingle::cpu

#define INGLE_KERNEL_NAMESPACE float_math_test
#define INGLE_KERNEL_TEXT "base/simd/float_math_text.h"
#define INGLE_KERNEL_TABLE FloatMathTable
#include "base/simd/instantiate.h"

namespace ingle::cpu {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

class FloatMathTest : public testing::TestWithParam<Isa> {
  protected:
    const FloatMathTable& table() const { return float_math_test::table_for(GetParam()); }

    float one(FloatMathTable::Function function, float x) const {
        float in[16], out[16];
        for (float& value : in) value = x;
        function(in, 16, out);
        return out[0];
    }
};

INSTANTIATE_TEST_SUITE_P(Isas, FloatMathTest,
                         testing::ValuesIn(supported_isas().begin(), supported_isas().end()),
                         [](const testing::TestParamInfo<Isa>& isa) {
                             return std::string(to_string(isa.param));
                         });

// Distance of neighbouring floats at `value`, as if it had 24 bits down to the smallest subnormal.
double unit_at(double value) {
    const int exponent = std::max(std::ilogb(value), -126);
    return std::ldexp(1.0, exponent - 23);
}

// Evenly spaced floats of [low, high], a multiple of 16.
std::vector<float> points(float low, float high, int count) {
    std::vector<float> values;
    for (int i = 0; i < count / 16 * 16; ++i)
        values.push_back(float(double(low) + (double(high) - double(low)) * i / count));
    return values;
}

double worst_units(FloatMathTable::Function function, double (*exact)(double),
                   const std::vector<float>& x) {
    std::vector<float> out(x.size());
    function(x.data(), int64_t(x.size()), out.data());
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const double truth = exact(double(x[i]));
        if (truth > double(std::numeric_limits<float>::max())) continue;
        worst = std::max(worst, std::abs(double(out[i]) - truth) / unit_at(truth));
    }
    return worst;
}

TEST_P(FloatMathTest, ExpIsWithinTwoUnitsOverItsWholeRange) {
    EXPECT_LE(worst_units(table().exp, std::exp, points(-110, 88.72f, 1'000'000)), 2);
    EXPECT_LE(worst_units(table().exp, std::exp, points(-1, 1, 300'000)), 2);
    EXPECT_LE(worst_units(table().exp, std::exp, points(-1e-6f, 1e-6f, 16'000)), 2);
}

TEST_P(FloatMathTest, ExpIsRightAtItsEnds) {
    EXPECT_EQ(one(table().exp, 0.0f), 1.0f);
    EXPECT_EQ(one(table().exp, -0.0f), 1.0f);
    EXPECT_EQ(one(table().exp, -infinity), 0.0f);
    EXPECT_EQ(one(table().exp, -1e30f), 0.0f);
    EXPECT_EQ(one(table().exp, -104.5f), 0.0f);
    EXPECT_EQ(one(table().exp, infinity), infinity);
    EXPECT_EQ(one(table().exp, 1e30f), infinity);
    EXPECT_EQ(one(table().exp, 88.73f), infinity);
    EXPECT_TRUE(std::isfinite(one(table().exp, 88.72f)));
    EXPECT_TRUE(std::isnan(one(table().exp, not_a_number)));
    EXPECT_TRUE(std::isnan(one(table().exp, -not_a_number)));
}

TEST_P(FloatMathTest, TanhIsWithinFourUnits) {
    EXPECT_LE(worst_units(table().tanh, std::tanh, points(-12, 12, 600'000)), 4);
    EXPECT_LE(worst_units(table().tanh, std::tanh, points(-0.01f, 0.01f, 100'000)), 4);
    EXPECT_EQ(one(table().tanh, infinity), 1.0f);
    EXPECT_EQ(one(table().tanh, -infinity), -1.0f);
    EXPECT_EQ(one(table().tanh, 0.0f), 0.0f);
    EXPECT_TRUE(std::isnan(one(table().tanh, not_a_number)));
}

double silu(double x) { return x / (1 + std::exp(-x)); }
double gelu_tanh(double x) {
    return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

// exp of a rounded argument u is off by |u| 2^-24 relatively: negligible for silu, whose argument
// is exact.
TEST_P(FloatMathTest, SiluIsWithinFourUnits) {
    EXPECT_LE(worst_units(table().silu, silu, points(-80, 80, 300'000)), 4);
    EXPECT_TRUE(std::isnan(one(table().silu, not_a_number)));
    EXPECT_EQ(one(table().silu, 1000.0f), 1000.0f);
    EXPECT_EQ(one(table().silu, -1000.0f), 0.0f);
}

// Its exponent 2u comes of five roundings and two rounded constants: relative error 7 * 2^-24, so
// |2u| times that in the result.
TEST_P(FloatMathTest, GeluIsExactToTheRoundingOfItsArgument) {
    const std::vector<float> x = points(-10, 10, 300'000);
    std::vector<float> out(x.size());
    table().gelu_tanh(x.data(), int64_t(x.size()), out.data());
    for (size_t i = 0; i < x.size(); ++i) {
        const double v = double(x[i]);
        const double two_u = 2 * 0.7978845608028654 * (v + 0.044715 * v * v * v);
        const double truth = v / (1 + std::exp(-two_u));
        ASSERT_NEAR(double(out[i]), truth,
                    std::abs(truth) * (4 + 7 * std::abs(two_u)) * 0x1p-24 + 0x1p-149)
            << x[i];
        ASSERT_NEAR(double(out[i]), gelu_tanh(v), 1e-6 * (1 + std::abs(v)));
    }
}

TEST_P(FloatMathTest, HalvesConvertAsTheScalarFunctionsDo) {
    std::vector<f16> halves;
    for (uint32_t bits = 0; bits < 65536; ++bits) halves.push_back({uint16_t(bits)});
    std::vector<float> floats(halves.size());
    table().to_floats(halves.data(), int64_t(halves.size()), floats.data());
    for (size_t i = 0; i < halves.size(); ++i) {
        const float expected = to_f32(halves[i]);
        if (std::isnan(expected)) {
            ASSERT_TRUE(std::isnan(floats[i])) << i;
            continue;
        }
        ASSERT_EQ(std::bit_cast<uint32_t>(floats[i]), std::bit_cast<uint32_t>(expected)) << i;
    }
    // Every half, the middle to its neighbour, and the floats beside that middle.
    std::vector<float> x;
    for (uint32_t bits = 0; bits < 65536; ++bits) {
        const uint32_t exact = std::bit_cast<uint32_t>(to_f32(f16{uint16_t(bits)}));
        for (const uint32_t rest : {0x0fffu, 0x1000u, 0x1001u, 0u})
            x.push_back(std::bit_cast<float>(exact + rest));
    }
    std::vector<f16> out(x.size());
    table().to_halves(x.data(), int64_t(x.size()), out.data());
    for (size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(x[i])) continue;
        ASSERT_EQ(out[i].bits, to_f16(x[i]).bits) << x[i];
    }
}

TEST_P(FloatMathTest, PartsOfAVectorTouchNothingElse) {
    for (int64_t count = 1; count < 16; ++count) {
        // Reading past its end is caught by the sanitizer.
        const std::vector<float> x(size_t(count), 3.0f);
        float all[16];
        float out[16];
        for (float& value : out) value = 7;
        table().copy_some(x.data(), count, all, out);
        for (int64_t i = 0; i < 16; ++i) {
            EXPECT_EQ(all[i], i < count ? 3.0f : 0.0f);
            EXPECT_EQ(out[i], i < count ? 3.0f : 7.0f);
        }
    }
}

TEST_P(FloatMathTest, LanesAreReduced) {
    float x[16];
    for (int i = 0; i < 16; ++i) x[i] = float(1 << i);
    EXPECT_EQ(table().sum(x), 65535.0f);
    EXPECT_EQ(table().highest(x), 32768.0f);
    x[15] = -infinity;
    EXPECT_EQ(table().highest(x), 16384.0f);
}

}  // namespace
}  // namespace ingle::cpu
