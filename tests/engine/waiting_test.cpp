// Who goes next: priority, who was sent back, fair shares of clients, arrival.
#include "engine/waiting.h"

#include <gtest/gtest.h>

#include "support/fixtures.h"

namespace ingle {

namespace {

class WaitingTest : public testing::Test {
  protected:
    std::unique_ptr<Lane> lane(const std::string& client, int priority = 0, size_t tokens = 10) {
        auto lane = std::make_unique<Lane>();
        lane->job = std::make_shared<Job>();
        lane->job->info.client = client;
        lane->job->info.priority = priority;
        lane->tokens.assign(tokens, 1);
        lane->arrival = ++arrivals_;
        return lane;
    }
    void add(const std::string& client, int priority = 0) { queue_.add(lane(client, priority)); }
    std::string next() { return queue_.take_best()->job->info.client; }
    std::string next(int count) {
        std::string clients;
        while (count-- > 0) clients += next();
        return clients;
    }

    WaitingQueue queue_{100, 0};
    uint64_t arrivals_ = 0;
};

TEST_F(WaitingTest, of_equals_the_first_to_come_goes_first) {
    for (const char* const client : {"a", "b", "c"}) add(client);
    EXPECT_EQ(next(3), "abc");
}

TEST_F(WaitingTest, a_higher_priority_goes_first) {
    add("a"), add("b", 1), add("c", -1);
    EXPECT_EQ(next(3), "bac");
}

TEST_F(WaitingTest, clients_take_turns_by_what_they_had) {
    for (int i = 0; i < 3; ++i) add("a");
    add("b");
    EXPECT_EQ(next(), "a");
    queue_.charge("a", 100);
    EXPECT_EQ(next(), "b");
    queue_.charge("b", 150);
    add("b");
    EXPECT_EQ(next(), "a");
    queue_.charge("a", 100);
    EXPECT_EQ(next(), "b");
}

TEST_F(WaitingTest, a_newcomer_starts_even_and_cannot_save_up) {
    add("a");
    next();
    queue_.charge("a", 1000);
    add("a"), add("late"), add("late");
    EXPECT_EQ(next(), "a");
    queue_.charge("a", 10);
    EXPECT_EQ(next(), "late");
    queue_.charge("late", 20);
    add("a");
    EXPECT_EQ(next(), "a");
}

TEST_F(WaitingTest, who_was_sent_back_goes_before_those_who_never_began) {
    add("a");
    auto back = lane("b");
    back->begun = true;
    queue_.add(std::move(back));
    EXPECT_EQ(next(), "b");
}

TEST_F(WaitingTest, counts_requests_and_tokens) {
    WaitingQueue queue(2, 25);
    EXPECT_OK(queue.check(25));
    EXPECT_EQ(queue.check(26).code(), Code::limit);
    queue.add(lane("a"));
    EXPECT_OK(queue.check(15));
    EXPECT_EQ(queue.check(16).code(), Code::limit);
    queue.add(lane("a"));
    EXPECT_EQ(queue.check(1).code(), Code::limit);
    queue.take_best();
    EXPECT_OK(queue.check(15));
}

TEST_F(WaitingTest, lists_who_waits_in_order) {
    add("a"), add("b", 2), add("c", 1);
    std::string order;
    for (const Lane* const lane : queue_.in_order()) order += lane->job->info.client;
    EXPECT_EQ(order, "bca");
}

}  // namespace

}  // namespace ingle
