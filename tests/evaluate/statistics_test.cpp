#include "evaluate/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/fixtures.h"

namespace ingle::evaluate {

namespace {

TEST(Statistics, the_error_of_a_mean_is_that_of_the_sample) {
    const std::vector<double> values = {1, 2, 3, 4};
    const Estimate mean = mean_of(values);
    EXPECT_DOUBLE_EQ(mean.value, 2.5);
    EXPECT_DOUBLE_EQ(mean.error, std::sqrt(1.25 / 3));
    EXPECT_EQ(mean_of({}).value, 0);
    EXPECT_EQ(mean_of(std::vector<double>{7}).error, 0);
}

TEST(Statistics, a_series_covaries_with_itself_as_its_error_squared) {
    const std::vector<double> x = {1, 5, 2, 8, 3}, y = {2, 10, 4, 16, 6};
    const double error = mean_of(x).error;
    EXPECT_NEAR(covariance_of_means(x, x), error * error, 1e-15);
    EXPECT_NEAR(covariance_of_means(x, y), 2 * error * error, 1e-15);
}

TEST(Statistics, quantiles_lie_between_ranks) {
    std::vector<double> values;
    for (int i = 100; i >= 0; --i) values.push_back(i);
    const Sorted sorted(values);
    EXPECT_DOUBLE_EQ(sorted.quantile(0.5).value, 50);
    EXPECT_DOUBLE_EQ(sorted.quantile(0.999).value, 99.9);
    EXPECT_DOUBLE_EQ(sorted.quantile(0).value, 0);
    // One binomial deviation of the rank is sqrt(101 / 4); values and ranks are the same here.
    EXPECT_NEAR(sorted.quantile(0.5).error, std::sqrt(101.0 / 4), 1e-12);
    EXPECT_EQ(sorted.least(), 0);
}

TEST(Statistics, the_error_of_the_largest_is_by_jackknife) {
    const Estimate greatest = Sorted({1, 4, 9, 2}).greatest();
    EXPECT_EQ(greatest.value, 9);
    // Jackknife: leaving each value out gives 9, 9, 4, 9.
    double sum = 0;
    for (const double without : {9.0, 9.0, 4.0, 9.0}) sum += (without - 7.75) * (without - 7.75);
    EXPECT_NEAR(greatest.error, std::sqrt(sum * 3 / 4), 1e-12);
}

TEST(Statistics, a_value_that_is_no_number_is_named) {
    const std::vector<double> values = {1, 2, 3, std::nan(""), 5};
    const Status status = check_finite(values, 2, "the surprise");
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.message().find("window 1, scored row 1"), std::string::npos) << status.message();
    EXPECT_OK(check_finite(std::span(values).first(3), 2, "the surprise"));
}

}  // namespace

}  // namespace ingle::evaluate
