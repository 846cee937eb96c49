// Routing and experts: the references by hand, the fast steps against them, and rows that do not depend on each other.
#include <algorithm>

#include "backend/cpu/matrices.h"
#include "support.h"

namespace ingle::cpu {
namespace entries {
extern const StepMaker route, experts, gate_rows;
}
namespace {

using namespace test;

class ExpertsTest : public testing::TestWithParam<Isa> {};
INGLE_EACH_ISA(ExpertsTest);

std::vector<float> routed(const ops::Route& op, std::vector<float> x, const std::vector<float>& bias = {}) {
    OneNode node(op, 1);
    node.add_input(std::move(x));
    node.add_output(2 * op.used);
    if (bias.empty()) node.add_no_weight();
    else node.add_weight(bias);
    node.run_reference(Sequence(0, 1).batch());
    return node.out();
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
}

// softmax(0, ln 2, ln 4, ln 1) = (1, 2, 4, 1) / 8
TEST(Route, ChoosesTheHighestAndWeighsThem) {
    const std::vector<float> x = {0, std::log(2.0f), std::log(4.0f), 0};
    expect_near(routed({.used = 2}, x), {2, 1, 0.5f, 0.25f});
    expect_near(routed({.used = 2, .normalize = true}, x), {2, 1, 2 / 3.0f, 1 / 3.0f});
    expect_near(routed({.used = 2, .normalize = true, .scale = 3}, x), {2, 1, 2, 1});
    expect_near(routed({.used = 4}, x), {2, 1, 0, 3, 0.5f, 0.25f, 0.125f, 0.125f});  // equal ones in order
    expect_near(routed({.used = 2, .gating = ops::Gating::sigmoid}, {0, std::log(3.0f), -std::log(3.0f)}),
                {1, 0, 0.75f, 0.5f});
}

TEST(Route, ABiasChangesTheChoiceAndNotTheWeights) {
    expect_near(routed({.used = 1, .gating = ops::Gating::sigmoid}, {0, std::log(3.0f)}, {0.5f, 0}), {0, 0.5f});
}

TEST(Route, WhatIsNotANumberIsSeenInTheWeightsAndChoosesNothingImpossible) {
    const float infinite = std::numeric_limits<float>::infinity();
    for (const auto gating : {ops::Gating::softmax, ops::Gating::sigmoid})
        for (const std::vector<float>& x : {std::vector<float>{0, 1, not_a_number, 2}, {not_a_number, 0, 0, 0},
                                            std::vector<float>(4, not_a_number)}) {
            const auto out = routed({.used = 3, .gating = gating, .normalize = true}, x);
            std::vector<float> numbers(out.begin(), out.begin() + 3);
            std::ranges::sort(numbers);
            EXPECT_EQ(std::ranges::adjacent_find(numbers), numbers.end());
            for (const float number : numbers) EXPECT_TRUE(number >= 0 && number < 4) << number;
            for (size_t k = 3; k < 6; ++k) EXPECT_TRUE(std::isnan(out[k])) << k;
        }
    for (const float number : routed({.used = 4}, {infinite, infinite, 0, -infinite}))
        EXPECT_TRUE(std::isnan(number) || (number >= 0 && number < 4));
}

TEST_P(ExpertsTest, RouteIsItsReference) {
    Random random(31);
    for (const bool with_bias : {false, true})
        for (const int64_t experts : {4, 60, 512}) {
            OneNode node(ops::Route{.used = 4, .gating = with_bias ? ops::Gating::sigmoid : ops::Gating::softmax,
                                    .normalize = true}, 37);
            node.add_input(random_values(random, 37 * experts));
            node.add_output(8);
            if (with_bias) node.add_weight(random_values(random, experts));
            else node.add_no_weight();
            const auto step = entries::route.make(node.inputs(GetParam()));
            node.run(*step, Sequence(0, 37).batch());
            const std::vector<float> fast = node.out();
            node.run_reference(Sequence(0, 37).batch());
            EXPECT_TRUE(same_bits(fast, node.out()));
        }
}

TEST_P(ExpertsTest, GateRowsIsItsReference) {
    Random random(32);
    OneNode node(ops::GateRows{}, 70);
    node.add_input(random_values(random, 70 * 300));
    node.add_input(random_values(random, 70));
    node.add_output(300);
    const auto step = entries::gate_rows.make(node.inputs(GetParam()));
    node.run(*step, Sequence(0, 70).batch());
    const std::vector<float> fast = node.out();
    node.run_reference(Sequence(0, 70).batch());
    EXPECT_TRUE(same_bits(fast, node.out()));
}

// What experts of random weights need.
struct Layer {
    int64_t experts, used, width, hidden;
    bool apart;  // every expert's matrices by themselves
    std::vector<std::unique_ptr<Weights>> matrices;
    std::vector<WeightSource> sources;

    Layer(int64_t experts_in, int64_t used_in, int64_t width_in, int64_t hidden_in,
          const std::array<const char*, 3>& formats, Isa isa, bool apart_in, Random& random)
        : experts(experts_in), used(used_in), width(width_in), hidden(hidden_in), apart(apart_in) {
        for (size_t kind = 0; kind < 3; ++kind) {
            const quant::FormatInfo& format = *quant::find_format(formats[kind]);
            const int64_t rows = kind == 2 ? width : hidden, columns = kind == 2 ? hidden : width;
            for (int64_t e = 0; e < (apart ? experts : 1); ++e) {
                matrices.push_back(std::make_unique<Weights>(random_weights(
                    format, find_kernel(format, isa), apart ? rows : rows * experts, columns, random)));
                WeightSource source;
                source.format = &format;
                source.rows = matrices.back()->packed.rows;
                source.columns = columns;
                source.memory = matrices.back()->file;
                sources.push_back(std::move(source));
            }
        }
    }

    OneNode node(const std::vector<float>& x, const std::vector<float>& chosen,
                 const std::vector<float>& residual, int64_t rows, ops::Experts op = {}) const {
        op.experts = experts;
        op.used = used;
        op.residual = !residual.empty();
        OneNode made(op, rows);
        made.add_input(x);
        made.add_input(chosen);
        if (op.residual) made.add_input(residual);
        made.add_output(width);
        for (size_t i = 0; i < sources.size(); ++i) made.add_matrix(sources[i], matrices[i]->packed);
        return made;
    }
};

// Different experts for each row, some of them more often than others, with weights.
std::vector<float> random_choice(const Layer& layer, int64_t rows, Random& random) {
    std::vector<float> chosen;
    for (int64_t r = 0; r < rows; ++r) {
        std::vector<float> numbers;
        while (int64_t(numbers.size()) < layer.used) {
            const auto bound = uint32_t(random.below(3) == 0 ? layer.experts : layer.used + 1);
            const auto number = float(random.below(std::min(bound, uint32_t(layer.experts))));
            if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
        }
        chosen.insert(chosen.end(), numbers.begin(), numbers.end());
        for (int64_t k = 0; k < layer.used; ++k) chosen.push_back(float(random.below(1000)) / 1000);
    }
    return chosen;
}

std::vector<float> part(const std::vector<float>& values, int64_t rows, int64_t first, int64_t count) {
    const auto columns = int64_t(values.size()) / rows;
    return {values.begin() + first * columns, values.begin() + (first + count) * columns};
}

const std::array<const char*, 3> format_sets[] = {
    {"F32", "F32", "F32"}, {"Q8_0", "Q8_0", "Q8_0"}, {"Q4_K", "Q4_K", "Q6_K"}, {"Q4_0", "F16", "BF16"}};

TEST_P(ExpertsTest, AgreeWithTheReference) {
    Random random(33);
    for (const auto& formats : format_sets)
        for (const bool apart : {false, true})
            for (const int64_t rows : {1, 2, 30, 150}) {
                const Layer layer(6, 2, 256, 256, formats, GetParam(), apart, random);
                const auto x = random_values(random, rows * layer.width);
                const auto residual = apart ? random_values(random, rows * layer.width) : std::vector<float>();
                OneNode node = layer.node(x, random_choice(layer, rows, random), residual, rows);
                const auto step = entries::experts.make(node.inputs(GetParam()));
                ASSERT_NE(step, nullptr);
                node.run(*step, Sequence(0, rows).batch());
                const std::vector<float> fast = node.out();
                node.run_reference(Sequence(0, rows).batch());
                double error = 0, size = 0;
                for (size_t i = 0; i < fast.size(); ++i) {
                    error += std::pow(double(fast[i]) - double(node.out()[i]), 2);
                    size += std::pow(double(node.out()[i]), 2);
                }
                // Activations of 8 bits twice in a row; rounding alone where both are floats.
                EXPECT_LT(std::sqrt(error / size), formats[0] == std::string_view("F32") ? 1e-6 : 0.02)
                    << formats[0] << " " << formats[2] << ", " << rows << " rows";
            }
}

TEST_P(ExpertsTest, ARowDoesNotDependOnItsNeighbours) {
    Random random(34);
    for (const auto& formats : format_sets) {
        constexpr int64_t rows = 97;
        const Layer layer(5, 3, 256, 256, formats, GetParam(), false, random);
        const auto x = random_values(random, rows * layer.width);
        const auto chosen = random_choice(layer, rows, random);
        const auto residual = random_values(random, rows * layer.width);
        OneNode all = layer.node(x, chosen, residual, rows);
        all.run(*entries::experts.make(all.inputs(GetParam())), Sequence(0, rows).batch());
        for (const int64_t step : {1, 2, 13, 50})
            for (int64_t first = 0; first + step <= rows; first += step == 1 ? 7 : step) {
                OneNode some = layer.node(part(x, rows, first, step), part(chosen, rows, first, step),
                                          part(residual, rows, first, step), step);
                some.run(*entries::experts.make(some.inputs(GetParam())), Sequence(0, step).batch());
                ASSERT_TRUE(same_bits(some.out(), part(all.out(), rows, first, step)))
                    << formats[0] << ": rows from " << first << ", " << step << " at once";
            }
    }
}

TEST_P(ExpertsTest, ManyExpertsAndEveryRowToOne) {
    Random random(35);
    const Layer layer(128, 8, 64, 48, {"Q8_0", "Q8_0", "F32"}, GetParam(), false, random);
    for (const int64_t rows : {1, 3, 40}) {
        std::vector<float> chosen;
        for (int64_t r = 0; r < rows; ++r)
            for (int64_t k = 0; k < 16; ++k) chosen.push_back(float(k < 8 ? 127 - k : 1));
        const auto x = random_values(random, layer.width);
        std::vector<float> same;
        for (int64_t r = 0; r < rows; ++r) same.insert(same.end(), x.begin(), x.end());
        OneNode node = layer.node(same, chosen, {}, rows);
        node.run(*entries::experts.make(node.inputs(GetParam())), Sequence(0, rows).batch());
        for (int64_t r = 1; r < rows; ++r)
            ASSERT_TRUE(same_bits(part(node.out(), rows, r, 1), part(node.out(), rows, 0, 1)));
        node.run_reference(Sequence(0, rows).batch());
    }
}

TEST_P(ExpertsTest, ObservedSquaresAreThoseOfTheReference) {
    Random random(36);
    constexpr int64_t rows = 30;
    const Layer layer(4, 2, 64, 32, {"F32", "F32", "F32"}, GetParam(), false, random);
    const auto x = random_values(random, rows * layer.width);
    const auto chosen = random_choice(layer, rows, random);
    std::array<ops::ExpertSquares, 2> input, hidden;
    for (size_t way = 0; way < 2; ++way) {
        input[way] = {std::vector<double>(size_t(4 * layer.width), 0.0), std::vector<int64_t>(4)};
        hidden[way] = {std::vector<double>(size_t(4 * layer.hidden), 0.0), std::vector<int64_t>(4)};
        OneNode node = layer.node(x, chosen, {}, rows,
                                  {.observed_input = &input[way], .observed_hidden = &hidden[way]});
        if (way == 0) node.run_reference(Sequence(0, rows).batch());
        else node.run(*entries::experts.make(node.inputs(GetParam())), Sequence(0, rows).batch());
    }
    EXPECT_EQ(input[0].squares, input[1].squares);
    EXPECT_EQ(input[0].rows, input[1].rows);
    EXPECT_EQ(hidden[0].rows, input[1].rows);
    EXPECT_EQ(hidden[1].rows, input[1].rows);
    int64_t total = 0;
    for (const int64_t each : input[0].rows) total += each;
    EXPECT_EQ(total, rows * layer.used);
    for (size_t i = 0; i < hidden[0].squares.size(); ++i)
        EXPECT_NEAR(hidden[1].squares[i], hidden[0].squares[i], 1e-4 * (1 + hidden[0].squares[i]));
}

// Rows of one expert that do not begin with a group of packed rows: the reference takes them.
TEST_P(ExpertsTest, OddSizesAreLeftToTheReference) {
    Random random(37);
    const Layer layer(3, 1, 64, 40, {"F32", "F32", "F32"}, GetParam(), false, random);
    const auto x = random_values(random, layer.width);
    OneNode node = layer.node(x, {1, 1}, {}, 1);
    EXPECT_EQ(entries::experts.make(node.inputs(GetParam())), nullptr);
}

}  // namespace
}  // namespace ingle::cpu
