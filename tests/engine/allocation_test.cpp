// A token step allocates nothing: everything it needs was planned when the session was opened.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "engine/session.h"
#include "support/engine_run.h"
#include "support/scripted_device.h"

namespace {

std::atomic<int64_t> allocations = 0;

void* counted(std::size_t size) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
// std::stable_sort asks for its buffer this way.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    allocations.fetch_add(1, std::memory_order_relaxed);
    return std::malloc(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
    return operator new(size, tag);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace ingle {

TEST(Allocation, a_token_step_allocates_nothing) {
    for (const char* const name : {"llama", "qwen3", "gemma3_text"}) {
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

}  // namespace ingle
