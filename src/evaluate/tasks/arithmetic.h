// Sums and differences to be written out: right only if the number is. The tasks are the same everywhere.
#pragma once

#include "evaluate/tasks/task.h"

namespace ingle::evaluate {

struct ArithmeticProblem {
    std::string prompt;  // some solved ones, then "47 + 18 ="
    int64_t answer = 0;
};

// `count` problems with operands of one or two digits, by a fixed seed.
std::vector<ArithmeticProblem> arithmetic_problems(int64_t count);

// The number that a continuation begins with, after spaces; nothing if it begins otherwise or is followed by a
// digit of a fraction.
std::optional<int64_t> leading_number(std::string_view text);

// Greedy continuations, compared exactly. The session holds at least 256 tokens.
Result<TaskScore> score_arithmetic(Session& session, std::span<const ArithmeticProblem> problems,
                                   const TaskDone& done);

}  // namespace ingle::evaluate
