// Means with standard errors, quantiles, and how two measured series go together.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ingle::evaluate {

// A value and its standard error (one sigma).
struct Estimate {
    double value = 0;
    double error = 0;
};

// The mean and sqrt(variance / (n - 1)), variance over n. Zeros for an empty series.
Estimate mean_of(std::span<const double> values);

// Fails, naming window and row, at the first value that is no finite number.
Status check_finite(std::span<const double> values, int64_t per_window, std::string_view what);

// The covariance of the two means: (mean(xy) - mean(x) mean(y)) / (n - 1).
double covariance_of_means(std::span<const double> x, std::span<const double> y);

// Ordered values, for quantiles.
class Sorted {
  public:
    explicit Sorted(std::vector<double> values);

    // Between the two nearest ranks, 0 <= fraction <= 1. The error is half the distance of the ranks one
    // binomial standard deviation, sqrt(n q (1 - q)), to either side.
    Estimate quantile(double fraction) const;
    double least() const { return values_.front(); }
    // The largest; its jackknife error is (n - 1) / n of the gap to the next.
    Estimate greatest() const;

  private:
    double at(double rank) const;

    std::vector<double> values_;  // ascending, at least one
};

}  // namespace ingle::evaluate
