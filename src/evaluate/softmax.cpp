#include "evaluate/softmax.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "evaluate/quick_exp.h"

namespace ingle::evaluate {

namespace {

constexpr size_t lanes = 16;
constexpr size_t block = 1024;  // summed in float before double takes over

float greatest_of(std::span<const float> values) {
    std::array<float, lanes> best;
    best.fill(values[0]);
    size_t i = 0;
    for (; i + lanes <= values.size(); i += lanes)
        for (size_t lane = 0; lane < lanes; ++lane)
            best[lane] = best[lane] < values[i + lane] ? values[i + lane] : best[lane];
    float greatest = best[0];
    for (const float value : best) greatest = std::max(greatest, value);
    for (; i < values.size(); ++i) greatest = std::max(greatest, values[i]);
    return greatest;
}

double sum_of_exponentials(std::span<const float> values, float greatest) {
    double total = 0;
    size_t i = 0;
    while (i + lanes <= values.size()) {
        std::array<float, lanes> sums = {};
        const size_t end = std::min(values.size(), i + block);
        for (; i + lanes <= end; i += lanes)
            for (size_t lane = 0; lane < lanes; ++lane)
                sums[lane] += quick_exp(values[i + lane] - greatest);
        for (const float sum : sums) total += double(sum);
    }
    for (; i < values.size(); ++i) total += double(quick_exp(values[i] - greatest));
    return total;
}

}  // namespace

LogSoftmax log_softmax(std::span<const float> logits) {
    LogSoftmax found;
    found.greatest = greatest_of(logits);
    found.log_sum = std::log(sum_of_exponentials(logits, found.greatest));
    for (size_t i = 0; i < logits.size(); ++i) {
        if (logits[i] != found.greatest) continue;
        found.top = Token(i);
        break;
    }
    return found;
}

}  // namespace ingle::evaluate
