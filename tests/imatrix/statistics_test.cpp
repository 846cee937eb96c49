#include "imatrix/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/fixtures.h"

namespace ingle::imatrix {

namespace {

TEST(ImatrixStatistics, follow_their_definitions) {
    Matrix matrix;
    matrix.entries["blk.0.x.weight"] = {{2, 4, 6, 8}, {2}};     // mean squares 1 2 3 4
    matrix.entries["blk.1.x.weight"] = {{4, 3, 2, 1}, {1}};     // 4 3 2 1
    matrix.entries["blk.1.e.weight"] = {{1, 1, 5, 5}, {1, 0}};  // of the expert that was reached: 1 1
    const auto all = statistics_of(matrix);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].sum, 10);
    EXPECT_EQ(all[2].name, "blk.1.e.weight");
    EXPECT_EQ(all[2].columns, 2u);
    EXPECT_DOUBLE_EQ(all[2].entropy, 1);
    EXPECT_DOUBLE_EQ(all[2].entropy_share, 1);
    const EntryStatistics& first = all[0].name == "blk.0.x.weight" ? all[0] : all[1];
    const EntryStatistics& second = all[0].name == "blk.0.x.weight" ? all[1] : all[0];
    EXPECT_EQ(first.layer, 0);
    EXPECT_EQ(first.least, 1);
    EXPECT_EQ(first.greatest, 4);
    EXPECT_DOUBLE_EQ(first.deviation, std::sqrt(1.25));
    EXPECT_DOUBLE_EQ(first.outliers, 0.25);
    EXPECT_DOUBLE_EQ(first.active, 1);
    EXPECT_EQ(first.similarity, 0);
    EXPECT_NEAR(second.similarity, (4 + 6 + 6 + 4) / 30.0, 1e-12);
    double entropy = 0;
    for (const double p : {0.1, 0.2, 0.3, 0.4}) entropy -= p * std::log2(p);
    EXPECT_NEAR(first.entropy, entropy, 1e-12);
    EXPECT_NEAR(first.entropy_share, entropy / 2, 1e-12);
}

}  // namespace

}  // namespace ingle::imatrix
