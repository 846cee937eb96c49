#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "evaluate/quick_exp.h"
#include "evaluate/softmax.h"

namespace ingle::evaluate {

namespace {

TEST(QuickExp, is_within_3e_7_of_exp) {
    double worst = 0;
    for (double x = -87; x <= 88; x += 0.00137) {
        const double exact = std::exp(double(float(x)));
        worst = std::max(worst, std::fabs(double(quick_exp(float(x))) - exact) / exact);
    }
    EXPECT_LT(worst, 3e-7);
    EXPECT_GT(quick_exp(-1e9f), 0);
    EXPECT_TRUE(std::isfinite(quick_exp(1e9f)));
}

TEST(LogSoftmax, agrees_with_double_for_every_length) {
    Random random(5);
    for (const size_t size : {1, 2, 15, 16, 17, 1024, 1025, 49152}) {
        std::vector<float> logits(size);
        for (float& logit : logits) logit = float(12 * random.normal());
        double sum = 0, greatest = -INFINITY;
        for (const float logit : logits) greatest = std::max(greatest, double(logit));
        for (const float logit : logits) sum += std::exp(double(logit) - greatest);
        const LogSoftmax found = log_softmax(logits);
        EXPECT_EQ(double(found.greatest), greatest);
        EXPECT_EQ(double(logits[size_t(found.top)]), greatest);
        EXPECT_NEAR(found.log_sum, std::log(sum), 1e-6) << size;
        EXPECT_NEAR(found.of(logits[0]), double(logits[0]) - greatest - std::log(sum), 1e-6) << size;
    }
}

TEST(LogSoftmax, the_first_of_equal_logits_is_the_top) {
    const std::vector<float> logits = {1, 3, 3, 2};
    EXPECT_EQ(log_softmax(logits).top, 1);
}

}  // namespace

}  // namespace ingle::evaluate
