// Logarithms of probabilities from logits, precise enough to measure models by.
#pragma once

#include <span>

#include "tensor/batch.h"

namespace ingle::evaluate {

// log softmax(logits)[i] = logits[i] - greatest - log_sum.
struct LogSoftmax {
    float greatest = 0;
    double log_sum = 0;  // log of sum(exp(logit - greatest))
    Token top = 0;       // the first token of the greatest logit

    double of(float logit) const { return double(logit) - double(greatest) - log_sum; }
};

// `logits` is not empty. Relative error of the sum below 1e-6.
LogSoftmax log_softmax(std::span<const float> logits);

}  // namespace ingle::evaluate
