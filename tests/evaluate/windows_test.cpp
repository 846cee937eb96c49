#include "evaluate/windows.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/fixtures.h"

namespace ingle::evaluate {

namespace {

std::vector<Token> counting(int count) {
    std::vector<Token> tokens(static_cast<size_t>(count));
    std::iota(tokens.begin(), tokens.end(), 100);
    return tokens;
}

TEST(Windows, follow_each_other_and_begin_with_bos) {
    const auto windows = cut_windows(counting(35), {.size = 8, .windows_max = -1, .stride = 0}, 1);
    ASSERT_OK(windows);
    EXPECT_EQ(windows->count, 4);
    EXPECT_EQ(windows->scored(), 3);
    EXPECT_EQ(windows->window(1), (std::vector<Token>{1, 109, 110, 111, 112, 113, 114, 115}));
    EXPECT_EQ(windows->target(1, 0), 113);
    EXPECT_EQ(windows->target(1, 2), 115);
}

TEST(Windows, an_odd_size_scores_the_larger_half) {
    const auto windows = cut_windows(counting(14), {.size = 7, .windows_max = -1, .stride = 0}, {});
    ASSERT_OK(windows);
    EXPECT_EQ(windows->scored(), 3);
    EXPECT_EQ(windows->target(0, 0), 104);
    EXPECT_EQ(windows->window(0)[0], 100);
}

TEST(Windows, with_a_stride_the_last_tokens_are_scored) {
    const auto windows = cut_windows(counting(600), {.size = 200, .windows_max = -1, .stride = 64}, 1);
    ASSERT_OK(windows);
    EXPECT_EQ(windows->size, 256);
    EXPECT_EQ(windows->count, 6);
    EXPECT_EQ(windows->scored(), 64);
    EXPECT_EQ(windows->window(2)[0], 228);
    EXPECT_EQ(windows->target(2, 63), 228 + 255);
}

TEST(Windows, a_short_text_is_refused_with_the_numbers) {
    const auto windows = cut_windows(counting(1023), {.size = 512, .windows_max = -1, .stride = 0}, 1);
    ASSERT_FALSE(windows.ok());
    EXPECT_NE(windows.status().message().find("1024"), std::string::npos);
    EXPECT_NE(windows.status().message().find("1023"), std::string::npos);
    EXPECT_OK(cut_windows(counting(1024), {.size = 512, .windows_max = -1, .stride = 0}, 1));
    EXPECT_FALSE(cut_windows(counting(1024), {.size = 512, .windows_max = 0, .stride = 0}, 1).ok());
    EXPECT_FALSE(cut_windows(counting(1024), {.size = 512, .windows_max = -1, .stride = 512}, 1).ok());
    const auto strided = cut_windows(counting(255), {.size = 100, .windows_max = -1, .stride = 8}, 1);
    ASSERT_FALSE(strided.ok());
    EXPECT_NE(strided.status().message().find("256"), std::string::npos);
}

}  // namespace

}  // namespace ingle::evaluate
