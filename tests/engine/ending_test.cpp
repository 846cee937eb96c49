// Whoever lets go of an engine last, wherever, ends it: the engine's own thread, too, within a call to a reader.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "support/engine_run.h"

namespace ingle {

namespace {

std::shared_ptr<Engine> open(const std::shared_ptr<const Model>& model) {
    auto engine = Engine::open(model, {.context_tokens = 256, .sequences_max = 2});
    EXPECT_OK(engine);
    return engine.ok() ? std::move(*engine) : nullptr;
}

class LastOwner {
  public:
    explicit LastOwner(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

    std::shared_ptr<Engine> engine() {
        const std::lock_guard lock(mutex_);
        return engine_;
    }
    void let_go() {
        std::shared_ptr<Engine> engine;
        const std::lock_guard lock(mutex_);
        engine.swap(engine_);
    }

  private:
    std::mutex mutex_;
    std::shared_ptr<Engine> engine_;
};

// An engine holds its model: who waits for the model's end waits for the engine's.
void wait_for_end(const std::weak_ptr<const Model>& model) {
    while (!model.expired()) std::this_thread::yield();
}

TEST(Ending, an_engine_let_go_within_its_own_call_ends_after_it) {
    for (const int64_t tokens : {1, 200}) {
        auto model = test::stories();
        const std::weak_ptr<const Model> watched = model;
        const auto last = std::make_shared<LastOwner>(open(model));
        model = nullptr;
        auto request = test::request_for(std::vector<Token>(20, 50), tokens);
        request.ignore_end = true;
        const auto stream = last->engine()->submit(request);
        const auto other = last->engine()->submit(request);
        const auto mine = std::this_thread::get_id();
        stream->on_event([last, mine] {
            if (std::this_thread::get_id() != mine) last->let_go();
        });
        for (Stream* const each : {stream.get(), other.get()}) {
            const auto rest = test::collect(*each);
            EXPECT_TRUE(rest.status.ok() || rest.status.code() == Code::cancelled);
        }
        last->let_go();  // if all was said before anybody listened
        wait_for_end(watched);
    }
}

TEST(Ending, an_engine_cannot_be_asked_to_wait_for_itself) {
    const auto engine = open(test::stories());
    const auto stream = engine->submit(test::request_for(std::vector<Token>(20, 50), 5));
    const auto mine = std::this_thread::get_id();
    std::atomic<int> refused = 0;
    stream->on_event([&] {
        if (std::this_thread::get_id() == mine) return;
        refused += engine->erase(0).status().code() == Code::unsupported ? 1 : 100;
    });
    test::collect(*stream);
    stream->on_event(nullptr);
    EXPECT_OK(engine->erase(0));  // the call that was under way has ended
    EXPECT_LT(refused, 100);
}

}  // namespace

}  // namespace ingle
