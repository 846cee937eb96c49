// The steps that work element by element or row by row agree with their references, whatever the
// batch.
#include <algorithm>

#include "support.h"

#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu {
namespace entries {
extern const StepMaker add, mul, scale, softcap, activate, gated, rms_norm, rope, select_rows;
}
namespace {

using namespace test;

class PointwiseTest : public testing::TestWithParam<Isa> {};
INGLE_EACH_ISA(PointwiseTest);

// The op over `rows` rows of `columns`, all operands alike.
OneNode node_of(ops::Op op, int inputs, int64_t rows, int64_t columns, uint64_t seed,
                float spread = 3) {
    Random random(seed);
    OneNode node(std::move(op), rows);
    for (int i = 0; i < inputs; ++i) node.add_input(random_values(random, rows * columns, spread));
    node.add_output(columns);
    return node;
}

// Fast minus reference is within `units` units of the last place of max(|reference|, floor).
void expect_close(const StepMaker& maker, OneNode& node, const Sequence& sequence, Isa isa,
                  double units, double floor) {
    const auto step = maker.make(node.inputs(isa));
    ASSERT_NE(step, nullptr);
    node.run(*step, sequence.batch());
    const std::vector<float> fast = node.out();
    node.run_reference(sequence.batch());
    for (size_t i = 0; i < fast.size(); ++i) {
        const double truth = double(node.out()[i]);
        ASSERT_NEAR(double(fast[i]), truth, units * 0x1p-23 * std::max(std::abs(truth), floor))
            << maker.op << " element " << i << " of " << fast.size();
    }
}

constexpr std::pair<int64_t, int64_t> shapes[] = {{1, 1},   {1, 15},  {3, 16},   {2, 17},
                                                  {5, 100}, {1, 576}, {37, 960}, {64, 2048}};

TEST_P(PointwiseTest, SumsProductsAndScalesAreExact) {
    for (const auto& [rows, columns] : shapes) {
        const Sequence sequence(0, rows);
        OneNode add = node_of(ops::Add{}, 2, rows, columns, 1);
        expect_close(entries::add, add, sequence, GetParam(), 0, 0);
        OneNode mul = node_of(ops::Mul{}, 2, rows, columns, 2);
        expect_close(entries::mul, mul, sequence, GetParam(), 0, 0);
        OneNode scale = node_of(ops::Scale{1.7f}, 1, rows, columns, 3);
        expect_close(entries::scale, scale, sequence, GetParam(), 0, 0);
    }
}

TEST_P(PointwiseTest, SoftcapAgrees) {
    for (const auto& [rows, columns] : shapes) {
        OneNode node = node_of(ops::Softcap{30}, 1, rows, columns, 4, 40);
        expect_close(entries::softcap, node, Sequence(0, rows), GetParam(), 8, 1e-30);
    }
}

// The reference's 1 + tanh(u) is off by a unit of 1, so that is what gelu is held to; silu's exp
// is exact to its argument.
TEST_P(PointwiseTest, ActivationsAgree) {
    for (const auto& [rows, columns] : shapes)
        for (const auto function : {ops::Activation::silu, ops::Activation::gelu_tanh}) {
            OneNode plain = node_of(ops::Activate{function}, 1, rows, columns, 5);
            expect_close(entries::activate, plain, Sequence(0, rows), GetParam(), 8, 10);
            OneNode gated = node_of(ops::Gated{function}, 2, rows, columns, 6);
            expect_close(entries::gated, gated, Sequence(0, rows), GetParam(), 8, 100);
        }
}

// The squares of n columns in 64 chains and a tree of 6 sums: relative error below (n / 64 + 8)
// 2^-24, halved by the root, and three roundings more.
TEST_P(PointwiseTest, RmsNormAgrees) {
    for (const auto& [rows, columns] : shapes)
        for (const int64_t heads : {1, 3}) {
            Random random(7);
            OneNode node(ops::RmsNorm{1e-5f, columns}, rows);
            node.add_input(random_values(random, rows * columns * heads, 30));
            node.add_output(columns * heads);
            node.add_weight(random_values(random, columns));
            expect_close(entries::rms_norm, node, Sequence(0, rows), GetParam(),
                         double(columns) / 256 + 5, 1e-30);
        }
}

TEST_P(PointwiseTest, RmsNormOfZerosIsZero) {
    OneNode node(ops::RmsNorm{1e-6f, 20}, 2);
    node.add_input(std::vector<float>(40, 0.0f));
    node.add_output(20);
    node.add_weight(std::vector<float>(20, 1.0f));
    const auto step = entries::rms_norm.make(node.inputs(GetParam()));
    node.run(*step, Sequence(0, 2).batch());
    for (const float value : node.out()) EXPECT_EQ(value, 0.0f);
}

// Sine and cosine are off by a unit of 1 at most, the products add as much.
TEST_P(PointwiseTest, RopeAgreesForEveryPairingAndPosition) {
    for (const bool interleaved : {false, true})
        for (const auto& [head_dim, rotary] :
             {std::pair{64, 64}, {64, 32}, {20, 20}, {100, 34}, {128, 128}, {8, 2}})
            for (const int64_t first : {0, 1000, 131000, 1000000}) {
                Random random(8);
                OneNode node(ops::Rope{head_dim, rotary, interleaved, 1.25f}, 9);
                node.add_input(random_values(random, 9 * head_dim * 3));
                node.add_output(head_dim * 3);
                std::vector<float> frequency;
                for (int i = 0; i < rotary / 2; ++i)
                    frequency.push_back(std::pow(10000.0f, -2.0f * float(i) / float(rotary)));
                node.add_weight(frequency);
                expect_close(entries::rope, node, Sequence(first, 9), GetParam(), 4, 6);
            }
}

TEST_P(PointwiseTest, SelectRowsCopiesTheWantedRows) {
    Random random(9);
    OneNode node(ops::SelectRows{}, 6, Rows::outputs);
    node.add_input(random_values(random, 6 * 50), Rows::tokens);
    node.add_output(50);
    Sequence sequence(0, 6);
    sequence.outputs = {1, 2, 5};
    const auto step = entries::select_rows.make(node.inputs(GetParam()));
    node.run(*step, sequence.batch());
    const std::vector<float> fast = node.out();
    node.run_reference(sequence.batch());
    EXPECT_TRUE(same_bits(std::span(fast).first(150), std::span(node.out()).first(150)));
    EXPECT_TRUE(std::isnan(fast[150]));
}

// Rows computed all at once and one by one: the same bits.
TEST_P(PointwiseTest, ARowDoesNotDependOnItsBatch) {
    constexpr int64_t rows = 41, columns = 900;
    const std::tuple<const StepMaker*, ops::Op, int> ops[] = {
        {&entries::add, ops::Add{}, 2},
        {&entries::softcap, ops::Softcap{2}, 1},
        {&entries::activate, ops::Activate{ops::Activation::silu}, 1},
        {&entries::gated, ops::Gated{ops::Activation::gelu_tanh}, 2},
        {&entries::rms_norm, ops::RmsNorm{1e-6f, 90}, 1},
        {&entries::rope, ops::Rope{90, 90, false, 1}, 1}};
    for (const auto& [maker, op, inputs] : ops) {
        Random random(10);
        OneNode node = node_of(op, inputs, rows, columns, 11);
        node.add_weight(random_values(random, 90));
        const Sequence sequence(5, rows);
        node.run(*maker->make(node.inputs(GetParam())), sequence.batch());
        const std::vector<float> whole = node.out();
        for (int64_t r = 0; r < rows; ++r) {
            StepInputs one = node.inputs(GetParam());
            for (Operand& in : one.in) in.data += r * columns;
            std::vector<float> out(columns, not_a_number);
            one.out[0].data = out.data();
            node.run(*maker->make(one), Sequence(5 + r, 1).batch());
            ASSERT_TRUE(same_bits(out, std::span(whole).subspan(size_t(r * columns), columns)))
                << maker->op << " row " << r;
        }
    }
}

TEST_P(PointwiseTest, OneRowIsOneTask) {
    OneNode node = node_of(ops::Gated{}, 2, 4, 14336, 12);
    const auto step = entries::gated.make(node.inputs(GetParam()));
    EXPECT_EQ(step->tasks(0, Sequence(0, 1).batch()), 1);
    EXPECT_GT(step->tasks(0, Sequence(0, 4).batch()), 1);
    EXPECT_EQ(step->tasks(0, Batch()), 0);
}

}  // namespace
}  // namespace ingle::cpu
