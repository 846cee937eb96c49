#include "sampling/probabilities.h"

#include <algorithm>
#include <limits>

#include "sampling/exact_math.h"

namespace ingle::sampling {

namespace {

bool ranks_before(const TokenProbability& a, const TokenProbability& b) {
    return a.log_probability != b.log_probability ? a.log_probability > b.log_probability
                                                  : a.id < b.id;
}

// The `count` best of `size` entries: `out` is a heap with its worst entry on top.
template <class Entry>
void take_best(size_t size, Entry entry, size_t count, std::vector<TokenProbability>& out) {
    out.clear();
    for (size_t i = 0; i < size && count > 0; ++i) {
        const TokenProbability next = entry(i);
        if (out.size() == count) {
            if (!ranks_before(next, out.front())) continue;
            std::ranges::pop_heap(out, ranks_before);
            out.pop_back();
        }
        out.push_back(next);
        std::ranges::push_heap(out, ranks_before);
    }
    std::ranges::sort_heap(out, ranks_before);
}

}  // namespace

float model_probabilities(std::span<const float> logits, Token chosen, size_t count,
                          std::vector<TokenProbability>& out) {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    float greatest = impossible;
    for (const float logit : logits) greatest = logit > greatest ? logit : greatest;
    // With infinite logits only those are possible, as in Chain::sample.
    const auto below_greatest = [&](float logit) {
        if (greatest == infinite) return logit == infinite ? 0.0f : impossible;
        return logit > impossible ? logit - greatest : impossible;
    };
    double total = 0;
    for (const float logit : logits) total += double(exp_nonpositive(below_greatest(logit)));
    const double log_total = exact_log(total);
    const auto log_probability = [&](float logit) {
        const float below = below_greatest(logit);
        return below > impossible ? float(double(below) - log_total) : impossible;
    };
    const auto entry = [&](size_t i) {
        return TokenProbability{Token(i), log_probability(logits[i])};
    };
    take_best(logits.size(), entry, count, out);
    const bool known = chosen >= 0 && size_t(chosen) < logits.size();
    return known ? log_probability(logits[size_t(chosen)]) : impossible;
}

float final_probabilities(Candidates& candidates, Token chosen, size_t count,
                          std::vector<TokenProbability>& out) {
    const double log_total = candidates.log_total();
    const std::span<const float> logits = candidates.logits();
    const auto log_probability = [&](size_t i) {
        return logits[i] > impossible ? float(double(logits[i]) - log_total) : impossible;
    };
    const auto entry = [&](size_t i) {
        return TokenProbability{candidates.id(i), log_probability(i)};
    };
    take_best(logits.size(), entry, count, out);
    const auto place = candidates.find(chosen);
    return place ? log_probability(*place) : impossible;
}

}  // namespace ingle::sampling
