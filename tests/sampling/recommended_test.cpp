#include "sampling/recommended.h"

#include "sampling/sampling_support.h"

namespace ingle::sampling {

using namespace test;

TEST(Recommended, fills_what_the_user_did_not_set) {
    OptionValues values = options_of({{"top_k", "7"}});
    EXPECT_EQ(*take_recommended(values, "top_k", int64_t(20)), false);
    EXPECT_EQ(*take_recommended(values, "temp", 0.6), true);
    EXPECT_EQ(*take_recommended(values, "penalty_last_n", int64_t(32)), true);
    EXPECT_EQ(*take_recommended(values, "penalty_repeat", int64_t(2)), true);
    EXPECT_EQ(*take_recommended(values, "mirostat", 2.0), true);
    EXPECT_EQ(values.integer("top_k"), 7);
    EXPECT_EQ(values.real("temperature"), 0.6);
    EXPECT_EQ(values.integer("repeat_last_n"), 32);
    EXPECT_EQ(values.real("repeat_penalty"), 2);
    EXPECT_EQ(values.integer("mirostat"), 2);
}

TEST(Recommended, the_order_may_be_names_or_letters) {
    OptionValues values = options_of({});
    EXPECT_EQ(*take_recommended(values, "sequence", std::string("top_k;temperature")), true);
    EXPECT_EQ(sampler_order(values)->size(), 2u);
    OptionValues letters = options_of({});
    EXPECT_EQ(*take_recommended(letters, "sequence", std::string("kpmt")), true);
    EXPECT_EQ(sampler_order(letters)->size(), 4u);
    OptionValues own = options_of({{"sampler_seq", "t"}});
    EXPECT_EQ(*take_recommended(own, "sequence", std::string("kpmt")), false);
    EXPECT_EQ(sampler_order(own)->size(), 1u);
}

TEST(Recommended, what_makes_no_sense_is_an_error_and_changes_nothing) {
    OptionValues values = options_of({});
    EXPECT_FALSE(take_recommended(values, "sequence", std::string("nonsense;z")).ok());
    EXPECT_FALSE(take_recommended(values, "sequence", int64_t(3)).ok());
    EXPECT_FALSE(take_recommended(values, "top_p", 7.5).ok());
    EXPECT_FALSE(take_recommended(values, "top_k", std::string("x")).ok());
    EXPECT_FALSE(take_recommended(values, "colour", 1.0).ok());
    EXPECT_FALSE(values.given("top_p"));
    EXPECT_EQ(sampler_order(values)->size(), 9u);
}

}  // namespace ingle::sampling
