#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace ingle {

TEST(ThreadPool, every_thread_runs_the_body_once_and_the_caller_is_thread_zero) {
    for (const int threads : {1, 2, 3, 8}) {
        ThreadPool pool(threads);
        ASSERT_EQ(pool.size(), threads);
        const auto caller = std::this_thread::get_id();
        for (int round = 0; round < 200; ++round) {
            std::vector<int> calls(size_t(threads), 0);
            bool caller_is_zero = false;
            pool.run([&](int thread) {
                ++calls[size_t(thread)];
                if (thread == 0) caller_is_zero = std::this_thread::get_id() == caller;
            });
            EXPECT_EQ(calls, std::vector<int>(size_t(threads), 1));
            EXPECT_TRUE(caller_is_zero);
        }
    }
}

TEST(ThreadPool, nobody_passes_a_barrier_before_all_have_come) {
    ThreadPool pool(
        4);  // more threads than processors on small machines: they must sleep, not spin forever
    constexpr int rounds = 300;
    std::vector<int> progress(4, 0);
    std::atomic<int> faults{0};
    pool.run([&](int thread) {
        for (int round = 1; round <= rounds; ++round) {
            progress[size_t(thread)] = round;
            pool.barrier();
            for (const int other : progress)
                if (other != round) ++faults;
            pool.barrier();
        }
    });
    EXPECT_EQ(faults, 0);
    EXPECT_EQ(progress, std::vector<int>(4, rounds));
}

TEST(ThreadPool, a_run_on_some_threads_leaves_the_others_out) {
    ThreadPool pool(5);
    for (int round = 0; round < 400; ++round) {
        const int threads = 1 + round * 7 % 5;
        std::vector<int> calls(5, 0), expected(5, 0);
        std::fill(expected.begin(), expected.begin() + threads, 1);
        std::atomic<int> faults{0}, come{0};
        pool.run(threads, [&](int thread) {
            ++calls[size_t(thread)];
            ++come;
            pool.barrier();
            if (come != threads) ++faults;
        });
        EXPECT_EQ(calls, expected) << "round " << round;
        EXPECT_EQ(faults, 0) << "round " << round;
    }
}

TEST(ThreadPool, sleeping_workers_wake_up_for_the_next_run) {
    ThreadPool pool(3);
    std::atomic<int> calls{0};
    for (int round = 0; round < 3; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        pool.run([&](int) { ++calls; });
    }
    EXPECT_EQ(calls, 9);
}

TEST(ThreadPool, shares_deal_every_task_once_however_many_threads_there_are) {
    ThreadPool pool(4);
    TaskShares shares(pool.size());
    for (const int threads : {1, 3, 4}) {
        for (const int64_t count : {1, 2, 5, 1000}) {
            std::vector<std::atomic<int>> taken(size_t(count) + 1);
            pool.run(threads, [&](int thread) {
                shares.reset(thread);
                pool.barrier();
                shares.deal(thread, threads, count, [&](int64_t task) {
                    ++taken[size_t(task)];
                });
            });
            for (int64_t task = 0; task < count; ++task) EXPECT_EQ(taken[size_t(task)], 1) << task;
            EXPECT_EQ(taken[size_t(count)], 0);
        }
    }
}

TEST(ThreadPool, a_counter_hands_out_every_task_once) {
    ThreadPool pool(4);
    TaskCounter counter;
    std::vector<int> taken(10000, 0);
    pool.run([&](int) {
        for (int64_t task; (task = counter.claim()) < int64_t(taken.size());) ++taken[size_t(task)];
    });
    EXPECT_EQ(taken, std::vector<int>(10000, 1));
}

}  // namespace ingle
