// Probabilities for reports (n_probs, logprobs): of the model's own distribution, or of what was
// drawn from.
#pragma once

#include <span>
#include <vector>

#include "sampling/candidates.h"

namespace ingle::sampling {

struct TokenProbability {
    Token id;
    float log_probability;  // natural logarithm; -inf for an impossible token
};

// Before sampling: the `count` likeliest tokens of softmax(logits), likeliest first, into `out`,
// and the log-probability of `chosen` as the return value. NaN counts as -inf.
float model_probabilities(std::span<const float> logits, Token chosen, size_t count,
                          std::vector<TokenProbability>& out);

// After sampling: the same of the candidates that the last draw chose from (Chain::last()).
float final_probabilities(Candidates& candidates, Token chosen, size_t count,
                          std::vector<TokenProbability>& out);

}  // namespace ingle::sampling
