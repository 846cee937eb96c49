#include "engine/stop_text.h"

#include <gtest/gtest.h>

namespace ingle {

namespace {

struct Streamed {
    std::string text;
    std::string matched;
};

Streamed stream(std::vector<std::string> stops, const std::vector<std::string>& pieces) {
    StopText stop(std::move(stops));
    std::string text;
    for (const std::string& piece : pieces) text += stop.push(piece);
    text += stop.flush();
    return {text, stop.matched()};
}

}  // namespace

TEST(StopText, a_stop_spread_over_tokens_is_never_shown) {
    const Streamed s = stream({"DEFGHIJ"}, {"ABC", "DEF", "G", "HI", "J", "K"});
    EXPECT_EQ(s.text, "ABC");
    EXPECT_EQ(s.matched, "DEFGHIJ");
}

TEST(StopText, what_only_looked_like_a_stop_arrives_in_full) {
    EXPECT_EQ(stream({"DEFX"}, {"ABC", "DEF", "G", "HI", "J"}).text, "ABCDEFGHIJ");
}

TEST(StopText, a_tail_held_at_the_end_is_not_lost) {
    EXPECT_EQ(stream({"END"}, {"the E", "N"}).text, "the EN");
}

TEST(StopText, of_overlapping_stops_the_earliest_ends_the_text) {
    EXPECT_EQ(stream({"aab", "ab"}, {"x", "a", "a", "b"}).text, "x");
    EXPECT_EQ(stream({"aab", "ab"}, {"xa", "b"}).text, "x");
    EXPECT_EQ(stream({"b", "bcd"}, {"abcd"}).text, "a");
}

TEST(StopText, an_empty_stop_stops_nothing) {
    EXPECT_EQ(stream({""}, {"abc"}).text, "abc");
}

TEST(StopText, text_is_shown_as_soon_as_it_is_certain) {
    StopText stop({"\n\n"});
    EXPECT_EQ(stop.push("one\n"), "one");
    EXPECT_EQ(stop.push("two"), "\ntwo");
}

}  // namespace ingle
