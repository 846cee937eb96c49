// A token step allocates nothing: everything it needs was planned when the session was opened.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "engine/counted_memory.h"
#include "engine/session.h"
#include "support/engine_run.h"
#include "support/scripted_device.h"

thread_local int64_t ingle::test::allocations_here = 0;
thread_local int64_t ingle::test::allocation_fails_in = 0;

namespace {

std::atomic<int64_t> allocations = 0;

void* counted(std::size_t size) noexcept {
    allocations.fetch_add(1, std::memory_order_relaxed);
    ++ingle::test::allocations_here;
    if (ingle::test::allocation_fails_in > 0 && --ingle::test::allocation_fails_in == 0) return nullptr;
    return std::malloc(size);
}

void* counted_or_thrown(std::size_t size) {
    if (void* const memory = counted(size)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted_or_thrown(size); }
void* operator new[](std::size_t size) { return counted_or_thrown(size); }
// std::stable_sort asks for its buffer this way.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
    return operator new(size, tag);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace ingle {

TEST(Allocation, a_token_step_allocates_nothing) {
    for (const char* const name : {"llama", "qwen3", "gemma3_text", "qwen2_moe"}) {
        const auto path = test::fixtures() / "arch" / name / "model.gguf";
        INGLE_NEEDS(path);
        auto model = Model::load(Runtime::make({.threads = 2}),
                                 {.path = path, .progress = {}, .without_tokenizer = true});
        ASSERT_OK(model);
        auto session = Session::open(*model, {});
        ASSERT_OK(session);
        const std::vector<Token> prompt(40, 7);
        const Token token = 3;
        ASSERT_OK((*session)->feed(prompt));
        const int64_t before = allocations;
        for (int i = 0; i < 50; ++i) {
            const Status status = (*session)->feed({&token, 1});
            if (!status.ok()) FAIL() << status.message();
        }
        EXPECT_EQ(allocations - before, 0) << name;
    }
}

// Steps of the engine with several answers under way, prefixes kept and pages crossed all the while. The script counts, on the
// engine's own thread; nobody reads, and the streams have room.
TEST(Allocation, a_step_of_the_engine_allocates_nothing) {
    std::atomic<bool> all_sent = false;
    std::atomic<int64_t> first = -1, last = -1;
    const auto model = test::scripted_model([&](std::span<const Token> text) {
        while (!all_sent) std::this_thread::yield();
        if (text.size() == 150 && first < 0) first = allocations.load();
        if (text.size() == 200 && last < 0) last = allocations.load();
        return test::ScriptedStep{.token = 300};
    });
    auto engine = Engine::open(model, {.context_tokens = 256, .sequences_max = 4});
    ASSERT_OK(engine);
    std::vector<std::shared_ptr<Stream>> streams;
    for (int i = 0; i < 4; ++i)
        streams.push_back((*engine)->submit(
            test::request_for(std::vector<Token>(size_t(10 + i), Token(20 + i)), 220)));
    all_sent = true;
    while (last < 0) std::this_thread::yield();
    EXPECT_EQ(last - first, 0);
}

// A thousand requests, four at a time, of every way to draw a token. What the engine's own thread allocates while four
// answers are under way, none of them new and none at its end, is nothing.
TEST(Allocation, a_thousand_requests_allocate_nothing_in_a_token_step) {
    constexpr int64_t prompt = 10, answer = 30, batches = 250;
    std::atomic<int> sent = 0;
    int64_t first = -1, total = 0, measured = 0;  // of the engine's thread
    const auto model = test::scripted_model([&](std::span<const Token> text) {
        while (sent < 4) std::this_thread::yield();
        const auto drawn = int64_t(text.size()) - prompt;
        if (drawn == 4 && first < 0) first = test::allocations_here;
        if (drawn == answer - 4 && first >= 0) {
            total += test::allocations_here - first;
            first = -1;
            ++measured;
        }
        return test::ScriptedStep{.token = Token(260 + text.size() % 50), .others = {}};
    });
    auto engine = Engine::open(model, {.context_tokens = 128, .sequences_max = 4});
    ASSERT_OK(engine);
    for (int64_t batch = 0; batch < batches; ++batch) {
        sent = 0;
        std::vector<std::shared_ptr<Stream>> streams;
        for (int i = 0; i < 4; ++i) {
            auto request = test::request_for(std::vector<Token>(size_t(prompt), Token(20 + (batch * 4 + i) % 400)),
                                             answer, i == 0 ? -1 : i);
            if (i == 2) EXPECT_OK(request.sampling.set("repeat_penalty", 1.2));
            if (i == 3) request.stops = {"something that never comes"};
            request.ignore_end = true;
            streams.push_back((*engine)->submit(std::move(request)));
            ++sent;
        }
        for (const auto& stream : streams) ASSERT_OK(test::collect(*stream).status);
    }
    // Each of four has its own end of measuring: one of them begins it, the first to come there ends it.
    EXPECT_EQ(measured, batches);
    EXPECT_EQ(total, 0);
}

}  // namespace ingle
