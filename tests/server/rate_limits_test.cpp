// Limits of each client: requests and tokens of a minute.
#include "server/rate_limits.h"

#include "support.h"

namespace ingle::server {

namespace {

using Seconds = std::chrono::seconds;

std::string header_of(const Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers)
        if (key == name) return value;
    return "";
}

}  // namespace

TEST(RateLimits, a_minute_of_requests_may_come_at_once_and_then_one_by_one) {
    RateLimits limits(Settings{.rate = {.requests = 6, .tokens = 0}});
    const RateLimits::Time start{};
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(limits.take("a", start).allowed);
    const auto refused = limits.take("a", start);
    EXPECT_FALSE(refused.allowed);
    EXPECT_NEAR(refused.retry_seconds, 10, 1e-6);
    EXPECT_STREQ(refused.what, "requests");
    EXPECT_TRUE(limits.take("b", start).allowed);  // another client
    EXPECT_FALSE(limits.take("a", start + Seconds(9)).allowed);
    EXPECT_TRUE(limits.take("a", start + Seconds(11)).allowed);
    for (int i = 0; i < 6; ++i) EXPECT_TRUE(limits.take("a", start + Seconds(1000)).allowed);
    EXPECT_FALSE(limits.take("a", start + Seconds(1000)).allowed);
}

TEST(RateLimits, tokens_are_paid_for_afterwards) {
    RateLimits limits(Settings{.rate = {.requests = 0, .tokens = 60}});
    const RateLimits::Time start{};
    EXPECT_TRUE(limits.take("a", start).allowed);
    limits.charge("a", 90, start);
    const auto refused = limits.take("a", start);
    EXPECT_FALSE(refused.allowed);
    EXPECT_NEAR(refused.retry_seconds, 31, 1e-6);
    EXPECT_STREQ(refused.what, "tokens");
    EXPECT_TRUE(limits.take("a", start + Seconds(32)).allowed);
}

TEST(RateLimits, a_key_may_have_its_own) {
    RateLimits limits(Settings{.api_keys = {{"big", "k", Rate{.requests = 100, .tokens = 0}}, {"small", "l"}},
                               .rate = {.requests = 1, .tokens = 0}});
    const RateLimits::Time start{};
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(limits.take("big", start).allowed);
    EXPECT_TRUE(limits.take("small", start).allowed);
    EXPECT_FALSE(limits.take("small", start).allowed);
}

TEST(RateLimits, clients_that_come_once_do_not_pile_up) {
    RateLimits limits(Settings{.rate = {.requests = 10, .tokens = 10}});
    RateLimits::Time now{};
    limits.take("debtor", now);
    limits.charge("debtor", 1'000'000, now);
    for (int i = 0; i < 50'000; ++i) limits.take("client " + std::to_string(i), now += Seconds(1));
    EXPECT_FALSE(limits.take("debtor", now).allowed);
}

using RateLimited = ServerTest;

TEST_F(RateLimited, who_asks_too_much_is_told_when_to_come_back) {
    start({.api_keys = {{"one", "k1"}, {"two", "k2"}}, .rate = {.requests = 2, .tokens = 1000}});
    will_say("Once upon");
    const auto ask = [&](const char* key, const char* path, const Json& body) {
        return send("POST", path, dump(body), {{"x-api-key", key}});
    };
    const Json prompt = {{"prompt", "x"}};
    const Response first = ask("k1", "/completion", prompt);
    EXPECT_EQ(first.status, 200);
    EXPECT_EQ(ask("k1", "/completion", prompt).status, 200);
    const Response refused = ask("k1", "/completion", prompt);
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(answer(refused)["error"]["type"], "rate_limit_error");
    EXPECT_EQ(answer(refused)["error"]["code"], "rate_limit_exceeded");
    EXPECT_EQ(header_of(refused, "Retry-After"), "30");
    EXPECT_EQ(header_of(refused, "x-ratelimit-limit-requests"), "2");
    EXPECT_EQ(header_of(refused, "x-ratelimit-remaining-requests"), "0");
    EXPECT_EQ(header_of(refused, "x-ratelimit-limit-tokens"), "1000");
    EXPECT_LT(std::stoi(header_of(refused, "x-ratelimit-remaining-tokens")), 1000);  // answers were charged
    EXPECT_EQ(answer(ask("k1", "/v1/messages", {{"messages", Json::array()}}))["error"]["type"], "rate_limit_error");
    EXPECT_EQ(ask("k2", "/completion", prompt).status, 200);
    EXPECT_EQ(send("GET", "/v1/models", "", {{"x-api-key", "k1"}}).status, 200);  // looking costs nothing
}

}  // namespace ingle::server
