#include "base/thread_placement.h"

#include <gtest/gtest.h>

#include "base/cpu_info.h"
#include "base/platform_cpu.h"
#include "base/thread_pool.h"

namespace ingle {
namespace {

TEST(ThreadPlacement, masks_and_ranges_name_processors) {
    EXPECT_EQ(*processors_of_mask("0x5"), (std::vector<int>{0, 2}));
    EXPECT_EQ(*processors_of_mask("F0"), (std::vector<int>{4, 5, 6, 7}));
    EXPECT_EQ(*processors_of_mask("0X10000000000000001"), (std::vector<int>{0, 64}));
    for (const char* wrong : {"", "0x", "0", "0xg", "-1"})
        EXPECT_FALSE(processors_of_mask(wrong).ok()) << wrong;
    EXPECT_FALSE(processors_of_mask(std::string(257, 'f')).ok());

    EXPECT_EQ(mask_of_processors({}), "0x0");
    EXPECT_EQ(mask_of_processors({0, 2, 64}), "0x10000000000000005");

    EXPECT_EQ(*processors_of_range("2-4", 8), (std::vector<int>{2, 3, 4}));
    EXPECT_EQ(*processors_of_range("-1", 8), (std::vector<int>{0, 1}));
    EXPECT_EQ(*processors_of_range("6-", 8), (std::vector<int>{6, 7}));
    for (const char* wrong : {"", "-", "3", "4-2", "a-b", "1-2-3", "0-99999999999"})
        EXPECT_FALSE(processors_of_range(wrong, 8).ok()) << wrong;
}

TEST(ThreadPlacement, threads_are_dealt_over_processors_and_nodes) {
    ThreadPlacement placement{.processors = {4, 5, 6}};
    EXPECT_EQ(placement.processors_of(1, 2), (std::vector<int>{4, 5, 6}));
    placement.one_each = true;
    EXPECT_EQ(placement.processors_of(1, 4), std::vector<int>{5});
    EXPECT_EQ(placement.processors_of(3, 4), std::vector<int>{4});

    ThreadPlacement spread{.nodes = {{0, 1}, {2, 3}}};
    EXPECT_EQ(spread.processors_of(0, 2), (std::vector<int>{0, 1}));
    EXPECT_EQ(spread.processors_of(1, 2), (std::vector<int>{2, 3}));
    spread.one_each = true;
    std::vector<int> first_processors;
    for (int thread = 0; thread < 4; ++thread) first_processors.push_back(spread.processors_of(thread, 4).front());
    EXPECT_EQ(first_processors, (std::vector<int>{0, 1, 2, 3}));

    EXPECT_FALSE(ThreadPlacement{}.changes_threads());
    EXPECT_TRUE(ThreadPlacement{.priority = -1}.changes_threads());
}

TEST(ThreadPlacement, a_pool_puts_its_threads_and_its_caller_there) {
    const std::vector<int> allowed = platform::affinity();
    if (allowed.size() < 2) GTEST_SKIP() << "one processor";
    {
        ThreadPool pool(3, {.processors = {allowed[0], allowed[1]}, .one_each = true, .poll = 0});
        std::vector<std::vector<int>> seen(3);
        pool.run([&](int thread) { seen[size_t(thread)] = platform::affinity(); });
        for (int thread = 0; thread < 3; ++thread)
            EXPECT_EQ(seen[size_t(thread)], std::vector<int>{allowed[size_t(thread % 2)]}) << thread;
    }
    ASSERT_TRUE(platform::set_affinity(allowed));
    ThreadPool pool(3);
    pool.run([&](int) { EXPECT_EQ(platform::affinity(), allowed); });
}

}  // namespace
}  // namespace ingle
