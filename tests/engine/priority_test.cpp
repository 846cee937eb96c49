// A request of higher priority takes the place of a lower one, whose answer goes on later and is the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "support/engine_run.h"
#include "support/scripted_device.h"

namespace ingle {

namespace {

using test::collect;
using test::request_for;

// Who drew a token, call by call, told by the first token of the text.
struct Order {
    std::vector<Token> calls;
    std::atomic<bool> hold = true;

    test::Script script() {
        return [this](std::span<const Token> text) {
            while (hold && text[0] == 20 && text.size() == 15) std::this_thread::yield();
            calls.push_back(text[0]);
            return test::ScriptedStep{.token = Token(300 + text.size() % 100)};
        };
    }
};

GenerationRequest request(Token first, int priority, int64_t tokens) {
    auto one = request_for(std::vector<Token>(10, first), tokens);
    one.ignore_end = true;
    one.info.priority = priority;
    return one;
}

std::vector<Token> calls_of(int priority) {
    Order order;
    auto engine = Engine::open(test::scripted_model(order.script()),
                               {.context_tokens = 128, .sequences_max = 1});
    EXPECT_OK(engine);
    const auto first = (*engine)->submit(request(20, 0, 12));
    StreamEvent event;
    while (!std::holds_alternative<TokenPiece>(event)) EXPECT_TRUE(first->wait(event));
    const auto second = (*engine)->submit(request(30, priority, 4));
    order.hold = false;
    EXPECT_EQ(collect(*first).choices.at(0).tokens.size(), 11u);  // and the one that was read
    EXPECT_EQ(collect(*second).choices.at(0).tokens.size(), 4u);
    EXPECT_EQ((*engine)->metrics().preemptions, priority > 0 ? 1 : 0);
    *engine = nullptr;
    return std::move(order.calls);
}

TEST(Priority, a_strictly_higher_one_takes_a_full_slot_and_the_lower_goes_on_after_it) {
    std::vector<Token> expected(6, 20);
    expected.insert(expected.end(), 4, 30);
    expected.insert(expected.end(), 6, 20);
    EXPECT_EQ(calls_of(1), expected);
}

TEST(Priority, the_same_one_waits) {
    std::vector<Token> expected(12, 20);
    expected.insert(expected.end(), 4, 30);
    EXPECT_EQ(calls_of(0), expected);
}

TEST(Priority, an_answer_that_was_sent_back_is_the_same_bit_for_bit) {
    const auto model = test::stories();
    for (const KvType type : {KvType::f16, KvType::q4_0}) {
        EngineOptions options{.context_tokens = 256, .sequences_max = 2};
        options.key_type = options.value_type = type;
        auto engine = Engine::open(model, options);
        ASSERT_OK(engine);
        std::vector<GenerationRequest> requests;
        std::vector<std::shared_ptr<Stream>> streams;
        for (int i = 0; i < 6; ++i) {
            auto next = request_for(std::vector<Token>(size_t(30 + 17 * i), Token(40 + i)), 60, i);
            next.ignore_end = true;
            next.info.priority = i;
            requests.push_back(next);
            streams.push_back((*engine)->submit(next));
            StreamEvent event;
            for (int events = 0; events < 6; ++events) ASSERT_TRUE(streams.back()->wait(event));
        }
        SessionOptions alone{.context_tokens = 256};
        alone.key_type = alone.value_type = type;
        for (size_t i = 0; i < requests.size(); ++i) {
            test::Collected rest = collect(*streams[i]);
            ASSERT_OK(rest.status);
            const auto expected = test::alone(model, requests[i], alone).tokens;
            const auto& got = rest.choices.at(0).tokens;  // what came after the first events
            ASSERT_LE(got.size(), expected.size());
            EXPECT_TRUE(std::equal(got.rbegin(), got.rend(), expected.rbegin())) << i;
        }
    }
}

}  // namespace

}  // namespace ingle
