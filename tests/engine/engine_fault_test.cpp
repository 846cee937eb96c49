// An engine whose thread throws fails what it was asked, then and afterwards; the process and other engines go on.
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "support/engine_run.h"

namespace ingle {

TEST(EngineFault, ends_that_engine_and_no_other) {
    const auto model = test::stories();
    ASSERT_NE(model, nullptr);
    EngineOptions options;
    options.context_tokens = 256;
    auto broken = Engine::open(model, options), whole = Engine::open(model, options);
    ASSERT_OK(broken);
    ASSERT_OK(whole);
    EXPECT_OK((*broken)->fault());
    const GenerationRequest request = test::request_for(model->tokenizer()->encode("Once"), 20);
    const auto stream = (*broken)->submit(request);
    const auto beside = (*broken)->submit(request);
    // On the engine's thread this must not throw, and does.
    stream->on_event([here = std::this_thread::get_id()] {
        if (std::this_thread::get_id() != here) throw std::runtime_error("an accident");
    });
    const auto failed = [](const test::Collected& got) {
        return got.done && got.status.code() == Code::internal &&
               got.status.message().find("an accident") != std::string::npos;
    };
    const auto end = Clock::now() + std::chrono::seconds(60);
    StreamEvent event;
    // It is called whenever something comes to an empty stream.
    while ((*broken)->fault().ok() && Clock::now() < end) stream->poll(event);
    EXPECT_TRUE(test::collect(*beside).done);
    EXPECT_EQ((*broken)->fault().code(), Code::internal);
    EXPECT_TRUE(failed(test::collect(*(*broken)->submit(request))));
    EXPECT_EQ((*broken)->erase(0).status().code(), Code::cancelled);
    EXPECT_OK(test::collect(*(*whole)->submit(request)).status);
}

}  // namespace ingle
