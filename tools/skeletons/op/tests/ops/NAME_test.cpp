#include "ops/@name@.h"

#include <gtest/gtest.h>

#include <vector>

namespace ingle::ops {

TEST(@Name@, its_reference_follows_its_equation) {
    const std::vector<float> x = {1, 2, 3, 4};
    std::vector<float> out(4);
    const ConstMatrix in = {x.data(), 2, 2, 2};
    const Matrix result = {out.data(), 2, 2, 2};
    Arguments arguments;
    arguments.in = {&in, 1};
    arguments.out = {&result, 1};
    @Name@::reference({.factor = 2}, arguments, {0, 2});
    EXPECT_EQ(out, (std::vector<float>{2, 4, 6, 8}));
}

}  // namespace ingle::ops
