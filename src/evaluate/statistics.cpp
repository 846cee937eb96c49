#include "evaluate/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ingle::evaluate {

Estimate mean_of(std::span<const double> values) {
    if (values.empty()) return {};
    const double n = double(values.size());
    double sum = 0, squares = 0;
    for (const double value : values) sum += value;
    const double mean = sum / n;
    for (const double value : values) squares += (value - mean) * (value - mean);
    return {mean, values.size() < 2 ? 0 : std::sqrt(squares / n / (n - 1))};
}

Status check_finite(std::span<const double> values, int64_t per_window, std::string_view what) {
    for (size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            return fail(Code::corrupt, what, " is no finite number in window ",
                        int64_t(i) / per_window, ", scored row ", int64_t(i) % per_window,
                        ": the model computes NaN or infinity");
    return {};
}

double covariance_of_means(std::span<const double> x, std::span<const double> y) {
    assert(x.size() == y.size());
    if (x.size() < 2) return 0;
    const double n = double(x.size());
    const double mean_x = mean_of(x).value, mean_y = mean_of(y).value;
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += (x[i] - mean_x) * (y[i] - mean_y);
    return sum / n / (n - 1);
}

Sorted::Sorted(std::vector<double> values) : values_(std::move(values)) {
    assert(!values_.empty());
    std::ranges::sort(values_);
}

double Sorted::at(double rank) const {
    const double last = double(values_.size() - 1);
    rank = std::clamp(rank, 0.0, last);
    const double below = std::floor(rank);
    const size_t index = size_t(below);
    if (index + 1 == values_.size()) return values_.back();
    return values_[index] + (rank - below) * (values_[index + 1] - values_[index]);
}

Estimate Sorted::quantile(double fraction) const {
    const double n = double(values_.size());
    const double rank = fraction * (n - 1);
    const double spread = std::sqrt(n * fraction * (1 - fraction));
    return {at(rank), (at(rank + spread) - at(rank - spread)) / 2};
}

Estimate Sorted::greatest() const {
    if (values_.size() < 2) return {values_.back(), 0};
    const double n = double(values_.size());
    return {values_.back(), (n - 1) / n * (values_.back() - values_[values_.size() - 2])};
}

}  // namespace ingle::evaluate
