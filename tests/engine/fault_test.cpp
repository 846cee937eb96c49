// Memory that cannot be had, disks that fail, lie or are slow: the request alone that it happens to gets a clear error,
// and the next one is answered as before.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <thread>

#include "engine/counted_memory.h"
#include "support/engine_run.h"
#include "support/scripted_device.h"

namespace {

// What the system answers instead of doing it; null: it does. Set while nothing else runs.
std::function<ssize_t(int file, const void* bytes, size_t count)> on_write;
std::atomic<bool> syncs_fail = false;
std::atomic<int> commits_left = -1;  // -1: all succeed

ssize_t system_write(int file, const void* bytes, size_t count) {
    return ::syscall(SYS_write, file, bytes, count);
}

}  // namespace

extern "C" ssize_t write(int file, const void* bytes, size_t count) {
    return file > 2 && on_write ? on_write(file, bytes, count) : system_write(file, bytes, count);
}
extern "C" int fsync(int file) {
    if (syncs_fail) return errno = EIO, -1;
    return int(::syscall(SYS_fsync, file));
}
extern "C" int madvise(void* address, size_t bytes, int advice) noexcept {
    constexpr int populate_write = 23;
    if (advice == populate_write && commits_left >= 0 && commits_left-- <= 0) {
        commits_left = 0;
        return errno = ENOMEM, -1;
    }
    return int(::syscall(SYS_madvise, address, bytes, advice));
}

namespace ingle {

namespace {

using test::Collected;
using test::collect;
using test::request_for;

std::vector<Token> some_tokens(int64_t count, int64_t seed = 0) {
    std::vector<Token> tokens = {1};
    for (int64_t i = 1; i < count; ++i) tokens.push_back(Token(3 + (i * 37 + seed * 101) % 500));
    return tokens;
}

// Answers that follow from the length of the text, on an engine whose thread a test can make short of memory.
class MemoryFault : public testing::Test {
  protected:
    void SetUp() override {
        model_ = test::scripted_model([this](std::span<const Token> text) {
            if (int64_t wanted = arm_.exchange(0)) test::allocation_fails_in = wanted;
            if (disarm_.exchange(false)) test::allocation_fails_in = 0;
            while (held_) std::this_thread::yield();
            return test::ScriptedStep{.token = Token(260 + text.size() % 100)};
        });
        auto engine = Engine::open(model_, {.context_tokens = 256, .sequences_max = 3});
        ASSERT_OK(engine);
        engine_ = *engine;
    }

    static std::vector<Token> answer_to(int64_t prompt, int64_t tokens) {
        std::vector<Token> answer;
        for (int64_t i = 0; i < tokens; ++i) answer.push_back(Token(260 + (prompt + i) % 100));
        return answer;
    }
    static GenerationRequest request(int64_t prompt, int64_t tokens, int64_t seed) {
        auto one = request_for(some_tokens(prompt, seed), tokens);
        one.ignore_end = true;
        one.info.salt = cat("a tenant with a name that is long enough ", seed % 3);
        one.info.client = cat("a client with a name that is long enough ", seed % 2);
        one.info.id = "a request whose name does not fit into the string itself";
        return one;
    }
    // Whole, or a beginning and the reason.
    static void expect_answer(const Collected& got, int64_t prompt, int64_t tokens) {
        ASSERT_TRUE(got.done);
        const auto expected = answer_to(prompt, tokens);
        for (const auto& [index, choice] : got.choices) {
            ASSERT_LE(choice.tokens.size(), expected.size());
            EXPECT_TRUE(std::equal(choice.tokens.begin(), choice.tokens.end(), expected.begin()));
            if (got.status.ok()) {
                EXPECT_EQ(choice.tokens.size(), expected.size());
            }
        }
        if (!got.status.ok()) {
            EXPECT_EQ(got.status.code(), Code::out_of_memory) << got.status.message();
        }
    }

    std::atomic<int64_t> arm_ = 0;
    std::atomic<bool> disarm_ = false;
    std::atomic<bool> held_ = false;
    std::shared_ptr<const Model> model_;
    std::shared_ptr<Engine> engine_;
};

TEST_F(MemoryFault, an_allocation_of_the_engine_that_fails_ends_one_request_at_most) {
    int64_t failed = 0;
    for (int64_t number = 1; number <= 120; ++number) {
        SCOPED_TRACE(number);
        held_ = true;
        arm_ = number;
        const auto first = engine_->submit(request(20, 12, number));
        auto forked = request(40, 10, number + 7);
        forked.choices = 2;
        const auto second = engine_->submit(std::move(forked));
        EmbeddingRequest text;
        text.input = some_tokens(15, number);
        const auto third = engine_->submit(std::move(text));
        held_ = false;
        const Collected one = collect(*first), two = collect(*second), three = collect(*third);
        expect_answer(one, 20, 12);
        expect_answer(two, 40, 10);
        EXPECT_TRUE(three.status.ok() || three.status.code() == Code::out_of_memory);
        failed += int64_t(!one.status.ok()) + int64_t(!two.status.ok()) + int64_t(!three.status.ok());
        EXPECT_LE(int64_t(!one.status.ok()) + int64_t(!two.status.ok()) + int64_t(!three.status.ok()), 1);
        // The next is answered as before.
        disarm_ = true;
        const Collected next = collect(*engine_->submit(request(25, 5, number)));
        ASSERT_TRUE(next.done);
        if (next.status.ok()) {
            EXPECT_EQ(next.choices.at(0).tokens, answer_to(25, 5));
        }
    }
    EXPECT_GT(failed, 5);
    const Collected last = collect(*engine_->submit(request(25, 5, 1)));
    EXPECT_OK(last.status);
    EXPECT_EQ(engine_->running(), 0);
    EXPECT_EQ(engine_->waiting(), 0);
}

class SystemFault : public testing::Test {
  protected:
    void SetUp() override {
        model_ = test::stories();
        ASSERT_NE(model_, nullptr);
        folder_ = std::filesystem::temp_directory_path() / cat("ingle-faults-", ::getpid());
        std::filesystem::create_directories(folder_);
        path_ = folder_ / "state";
    }
    void TearDown() override {
        on_write = nullptr;
        syncs_fail = false;
        commits_left = -1;
        std::filesystem::remove_all(folder_);
    }
    std::shared_ptr<Engine> open(int64_t sequences = 2) const {
        auto engine = Engine::open(model_, {.context_tokens = 256, .sequences_max = sequences});
        EXPECT_OK(engine);
        return *engine;
    }
    size_t files() const {
        return size_t(std::distance(std::filesystem::directory_iterator(folder_), {}));
    }
    void expect_solo(const Collected& got, const GenerationRequest& request) const {
        EXPECT_OK(got.status);
        EXPECT_EQ(got.choices.at(0).tokens, test::alone(model_, request, 256).tokens);
    }

    std::shared_ptr<const Model> model_;
    std::filesystem::path folder_, path_;
};

TEST_F(SystemFault, a_page_that_gets_no_memory_fails_its_request_alone) {
    for (const int commits : {0, 1, 3, 5}) {
        const auto engine = open();
        const auto request = request_for(some_tokens(100, commits), 100);
        commits_left = commits;
        const Collected got = collect(*engine->submit(request));
        EXPECT_EQ(got.status.code(), Code::out_of_memory) << commits;
        EXPECT_NE(got.status.message().find("no memory"), std::string::npos) << got.status.message();
        commits_left = -1;
        expect_solo(collect(*engine->submit(request)), request);
    }
    auto session = Session::open(model_, {.context_tokens = 256});
    ASSERT_OK(session);
    commits_left = 2;
    EXPECT_EQ((*session)->feed(some_tokens(100)).code(), Code::out_of_memory);
    commits_left = -1;
    EXPECT_EQ((*session)->length(), 0);
    EXPECT_OK((*session)->feed(some_tokens(100)));
}

TEST_F(SystemFault, pages_of_kept_prefixes_are_taken_before_a_request_fails) {
    const auto engine = open();
    for (int64_t seed = 0; seed < 3; ++seed)
        expect_solo(collect(*engine->submit(request_for(some_tokens(60, seed), 10))),
                    request_for(some_tokens(60, seed), 10));
    commits_left = 0;
    const auto request = request_for(some_tokens(90, 9), 20);
    const Collected got = collect(*engine->submit(request));
    commits_left = -1;
    expect_solo(got, request);
}

TEST_F(SystemFault, a_disk_that_fails_while_a_state_is_written_leaves_the_old_file_and_says_so) {
    const auto engine = open();
    auto request = request_for(some_tokens(150), 20);
    request.info.slot = 1;
    expect_solo(collect(*engine->submit(request)), request);
    ASSERT_OK(engine->save(1, path_));
    const std::string before = test::bytes_of(path_);
    auto session = Session::open(model_, {.context_tokens = 256});
    ASSERT_OK(session);
    ASSERT_OK((*session)->feed(some_tokens(100)));
    for (const int error : {EIO, ENOSPC})
        for (const int good : {0, 1, 2, 4}) {
            int left = good;
            on_write = [&](int file, const void* bytes, size_t count) -> ssize_t {
                if (left-- > 0) return system_write(file, bytes, count);
                return errno = error, -1;
            };
            const Status failed = engine->save(1, path_).status();
            left = good;
            const Status of_session = (*session)->save(path_).status();
            on_write = nullptr;
            for (const Status& status : {failed, of_session}) {
                EXPECT_EQ(status.code(), Code::io);
                EXPECT_NE(status.message().find(std::strerror(error)), std::string::npos)
                    << status.message();
            }
            EXPECT_EQ(files(), 1u);
        }
    syncs_fail = true;
    EXPECT_EQ(engine->save(1, path_).status().code(), Code::io);
    syncs_fail = false;
    EXPECT_EQ(test::bytes_of(path_), before);
    ASSERT_OK(engine->restore(0, path_));
    expect_solo(collect(*engine->submit(request)), request);
}

TEST_F(SystemFault, a_disk_that_takes_a_part_at_a_time_gets_the_whole_state) {
    const auto engine = open();
    auto request = request_for(some_tokens(150), 20);
    request.info.slot = 1;
    expect_solo(collect(*engine->submit(request)), request);
    int calls = 0;
    on_write = [&](int file, const void* bytes, size_t count) -> ssize_t {
        if (++calls % 3 == 0) return errno = EINTR, -1;
        return system_write(file, bytes, std::min<size_t>(count, 1000));
    };
    const auto saved = engine->save(1, path_);
    on_write = nullptr;
    ASSERT_OK(saved);
    ASSERT_OK(open()->restore(0, path_));
}

TEST_F(SystemFault, nobody_waits_for_a_slow_disk_but_who_writes_to_it) {
    const auto engine = open();
    auto request = request_for(some_tokens(150), 20);
    request.info.slot = 1;
    expect_solo(collect(*engine->submit(request)), request);
    std::atomic<bool> writing = false, go_on = false;
    on_write = [&](int file, const void* bytes, size_t count) -> ssize_t {
        writing = true;
        while (!go_on) std::this_thread::yield();
        return system_write(file, bytes, count);
    };
    Status saved;
    std::thread writer([&] { saved = engine->save(1, path_).status(); });
    while (!writing) std::this_thread::yield();
    const auto other = request_for(some_tokens(40, 5), 30);
    expect_solo(collect(*engine->submit(other)), other);
    go_on = true;
    writer.join();
    on_write = nullptr;
    EXPECT_OK(saved);
    EXPECT_OK(open()->restore(0, path_));
}

// The file is found whole; while the engine is busy with a step, it is cut.
TEST_F(SystemFault, a_state_cut_while_it_is_restored_is_an_error_of_that_alone) {
    std::atomic<bool> held = false, waiting = false;
    const auto scripted = test::scripted_model([&](std::span<const Token> text) {
        waiting = held.load();
        while (held) std::this_thread::yield();
        return test::ScriptedStep{.token = Token(260 + text.size() % 100)};
    });
    auto engine = Engine::open(scripted, {.context_tokens = 512, .sequences_max = 2});
    ASSERT_OK(engine);
    auto request = request_for(some_tokens(400), 5);
    request.info.slot = 1;
    EXPECT_OK(collect(*(*engine)->submit(request)).status);
    ASSERT_OK((*engine)->save(1, path_));
    held = true;
    const auto other = (*engine)->submit(request_for(some_tokens(20, 3), 5));
    while (!waiting) std::this_thread::yield();
    Status restored;
    std::thread reader([&] { restored = (*engine)->restore(0, path_).status(); });
    // Its checksum is read before it asks the engine for pages; there is no telling from outside that it has come so far.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    std::filesystem::resize_file(path_, 4096);
    held = false;
    reader.join();
    // On a very slow machine the cut is found before: an error as well.
    EXPECT_FALSE(restored.ok());
    EXPECT_OK(collect(*other).status);
    EXPECT_OK(collect(*(*engine)->submit(request)).status);
}

}  // namespace

}  // namespace ingle
