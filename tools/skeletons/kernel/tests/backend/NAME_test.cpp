// The kernel of @name@ against the op's plain reference.
#include <gtest/gtest.h>

#include <vector>

#include "backend/cpu/step.h"

namespace ingle::cpu {

TEST(@Name@Kernel, agrees_with_the_reference) {
    constexpr int64_t columns = 33;
    const std::vector<Token> tokens(7, 0);
    const std::vector<int32_t> positions = {0, 1, 2, 3, 4, 5, 6};
    const Batch batch = {.tokens = tokens, .positions = positions, .outputs = {}};
    std::vector<float> x(tokens.size() * columns);
    for (size_t i = 0; i < x.size(); ++i) x[i] = 0.25f * float(i % 13) - 1.5f;
    const Node node = {.op = ops::@Name@{}, .in = {0}, .weights = {}, .out = {1}};

    const auto run = [&](std::unique_ptr<Step> (*make)(const StepInputs&)) {
        std::vector<float> out(x.size());
        StepInputs inputs;
        inputs.node = &node;
        inputs.in = {{x.data(), columns, Rows::tokens}};
        inputs.out = {{out.data(), columns, Rows::tokens}};
        inputs.tokens_max = int64_t(tokens.size());
        const auto step = make(inputs);
        RunState state;
        state.batch = &batch;
        for (int phase = 0; phase < step->phases(); ++phase)
            for (int64_t task = 0; task < step->tasks(phase, batch); ++task)
                step->run(phase, task, state);
        return out;
    };
    EXPECT_EQ(run(make_step), run(make_reference_step));
}

}  // namespace ingle::cpu
