// A token step allocates nothing: everything it needs was planned when the session was opened.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "engine/session.h"
#include "support/engine_run.h"

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

// A step of the engine with several answers under way, prefixes kept and pages crossed all the while.
TEST(Allocation, a_step_of_the_engine_allocates_nothing) {
    const auto model = test::stories();
    auto engine = Engine::open(model, {.context_tokens = 256, .sequences_max = 4});
    ASSERT_OK(engine);
    std::vector<std::shared_ptr<Stream>> streams;
    for (int i = 0; i < 4; ++i) {
        auto request = test::request_for(std::vector<Token>(size_t(10 + i), Token(20 + i)), 200, i);
        request.ignore_end = true;
        streams.push_back((*engine)->submit(request));
    }
    // Nobody reads: between 140 and 190 tokens of each the streams have room for what comes.
    const auto wait_for = [&](int64_t tokens) {
        while ((*engine)->metrics().generated_tokens < 4 * tokens) std::this_thread::yield();
    };
    wait_for(140);
    const int64_t before = allocations;
    wait_for(190);
    EXPECT_EQ(allocations - before, 0);
}

}  // namespace ingle
