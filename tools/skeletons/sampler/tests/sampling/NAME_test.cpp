#include <gtest/gtest.h>

#include "sampling/sampling_support.h"

namespace ingle::sampling::test {

TEST(@Name@, changes_the_distribution_by_its_equation) {
    Chain chain = chain_of(only("@name@", {{"@name@", "0"}}), vocabulary_of(3));
    const auto drawn_from = distribution(chain, {1.0f, 2.0f, 3.0f});
    ASSERT_EQ(drawn_from.size(), 3u);
    for (const auto& [token, probability] : drawn_from) EXPECT_NEAR(probability, 1.0 / 3, 1e-6);
}

}  // namespace ingle::sampling::test
