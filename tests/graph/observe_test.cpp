// Observers of linear inputs: where they stand, what they add up, and that a graph without them has none.
#include "graph/observe.h"

#include <gtest/gtest.h>

#include "engine/session.h"
#include "support/fixtures.h"

namespace ingle::graph {

namespace {

int count_observers(const Graph& graph) {
    int count = 0;
    for (const Node& node : graph.nodes) count += std::holds_alternative<ops::Observe>(node.op) ? 1 : 0;
    return count;
}

TEST(Observe, sums_squares_by_column) {
    const std::vector<float> x = {1, 2, 3, 4, 5, 6};
    ops::ColumnSquares into{{0, 10, 0}, 0};
    const std::array<ConstMatrix, 1> in = {ConstMatrix{x.data(), 2, 3, 3}};
    ops::Arguments arguments;
    arguments.in = in;
    ops::Observe::reference({&into}, arguments, {0, 2});
    EXPECT_EQ(into.squares, (std::vector<double>{17, 39, 45}));
    EXPECT_EQ(into.rows, 2);
    ops::Observe::reference({&into}, arguments, {1, 2});
    EXPECT_EQ(into.squares, (std::vector<double>{33, 64, 81}));
    EXPECT_EQ(into.rows, 3);
}

TEST(Observe, stands_before_every_linear_and_changes_no_logit) {
    const auto path = test::source_dir() / "models" / "stories260K.gguf";
    for (const bool reference : {true, false}) {
        const auto model = Model::load(Runtime::make({.threads = 2, .reference = reference}),
                                       {.path = path, .progress = {}, .without_tokenizer = true});
        ASSERT_OK(model);
        EXPECT_EQ(count_observers((*model)->graph()), 0);
        Observations observations;
        const Graph observed = observe_linears((*model)->graph(), observations);
        EXPECT_EQ(count_observers(observed), int(observations.size()));
        size_t matrices = 0;
        for (const Observation& observation : observations) matrices += observation.matrices.size();
        EXPECT_EQ(matrices, 5u * 7 + 1);  // blocks of q, k, v, output, gate, up, down; the output matrix

        const std::vector<Token> tokens = {1, 403, 407, 261, 378};
        std::vector<float> plain;
        for (const bool observe : {false, true}) {
            SessionOptions options;
            options.outputs_max = 8;
            options.observe_inputs = observe;
            const auto session = Session::open(*model, options);
            ASSERT_OK(session);
            std::vector<float> logits;
            ASSERT_OK((*session)->evaluate_from(tokens, 0, [&](int64_t, std::span<const float> block) {
                logits.assign(block.begin(), block.end());
                return Status();
            }));
            if (observe) EXPECT_EQ(logits, plain);
            else plain = logits;
            EXPECT_EQ((*session)->observations().size(), observe ? observations.size() : 0);
            for (const Observation& observation : (*session)->observations()) {
                EXPECT_EQ(observation.sums.rows, 5);
                double sum = 0;
                for (const double square : observation.sums.squares) sum += square;
                EXPECT_GT(sum, 0);
            }
        }
    }
}

// Each token meets the matrices of as many experts as are used, and others never see it.
TEST(Observe, experts_count_their_own_rows) {
    const auto path = test::fixtures() / "arch" / "qwen2_moe" / "model.gguf";
    INGLE_NEEDS(path);
    std::vector<int64_t> rows_of_reference;
    for (const bool reference : {true, false}) {
        const auto model = Model::load(Runtime::make({.threads = 2, .reference = reference}),
                                       {.path = path, .progress = {}, .without_tokenizer = true});
        ASSERT_OK(model);
        SessionOptions options;
        options.observe_inputs = true;
        const auto session = Session::open(*model, options);
        ASSERT_OK(session);
        std::vector<Token> tokens;
        for (Token t = 0; t < 50; ++t) tokens.push_back(7 * t);
        ASSERT_OK((*session)->evaluate_from(tokens, 0, [](int64_t, std::span<const float>) { return Status(); }));
        size_t stacks = 0;
        std::vector<int64_t> rows;
        for (const Observation& observation : (*session)->observations()) {
            const ops::ExpertSquares& squares = observation.by_expert;
            if (squares.rows.empty()) continue;
            stacks += observation.matrices.size();
            EXPECT_TRUE(observation.stacked);
            EXPECT_EQ(squares.rows.size(), 6u);
            int64_t sum = 0;
            for (size_t e = 0; e < squares.rows.size(); ++e) {
                sum += squares.rows[e];
                rows.push_back(squares.rows[e]);
                const auto columns = squares.squares.size() / squares.rows.size();
                double of_expert = 0;
                for (size_t c = 0; c < columns; ++c) of_expert += squares.squares[e * columns + c];
                EXPECT_EQ(of_expert > 0, squares.rows[e] > 0);
            }
            EXPECT_EQ(sum, 50 * 2);
        }
        EXPECT_EQ(stacks, 2u * 3);
        if (reference) rows_of_reference = rows;
        else EXPECT_EQ(rows, rows_of_reference);
    }
}

}  // namespace

}  // namespace ingle::graph
