// Prompts get what the time between two tokens leaves them.
#include "engine/pace.h"

#include <gtest/gtest.h>

namespace ingle {

namespace {

TEST(Pace, without_a_target_prompts_get_everything) {
    Pace pace(0);
    pace.learn(1, 0, 100);
    EXPECT_EQ(pace.prompt_rows(512), 512);
}

TEST(Pace, before_anything_is_known_prompts_get_everything) {
    EXPECT_EQ(Pace(0.1).prompt_rows(512), 512);
}

TEST(Pace, a_step_is_filled_up_to_the_target) {
    Pace pace(0.1);
    pace.learn(0.02, 4, 0);    // four answers
    pace.learn(0.22, 4, 200);  // a thousandth of a second for a row of a prompt
    EXPECT_NEAR(double(pace.prompt_rows(512)), 80, 1);
    EXPECT_EQ(pace.prompt_rows(50), 50);
}

TEST(Pace, prompts_always_get_on) {
    Pace pace(0.01);
    pace.learn(0.5, 4, 0);
    pace.learn(1, 4, 100);
    EXPECT_EQ(pace.prompt_rows(512), 32);
    EXPECT_EQ(pace.prompt_rows(8), 8);
}

TEST(Pace, follows_what_changes) {
    Pace pace(0.1);
    pace.learn(0.1, 0, 100);
    for (int i = 0; i < 60; ++i) pace.learn(1, 0, 100);
    EXPECT_NEAR(double(pace.prompt_rows(512)), 32, 1);
}

}  // namespace

}  // namespace ingle
