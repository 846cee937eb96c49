// An engine that says what a test has written down: tokens, ends, faults, and silence in between.
#pragma once

#include <deque>
#include <functional>
#include <mutex>

#include "engine/engine.h"

namespace ingle::server {

// The stream of one request; a test may add events while it is read.
class FakeStream : public Stream {
  public:
    ~FakeStream() override {
        if (on_dropped) on_dropped();
    }
    bool poll(StreamEvent& event) override {
        const std::lock_guard lock(mutex_);
        if (events_.empty()) return false;
        event = std::move(events_.front());
        events_.pop_front();
        return true;
    }
    bool wait(StreamEvent& event, Clock::time_point) override { return poll(event); }
    void on_event(std::function<void()> wake) override {
        wake_ = std::move(wake);
        if (!events_.empty()) wake_();
    }
    void end_reasoning() override { ++reasoning_ended; }
    int reasoning_ended = 0;
    void cancel() override { add(Done{fail(Code::cancelled, "cancelled")}); }

    void add(StreamEvent event) {
        {
            const std::lock_guard lock(mutex_);
            events_.push_back(std::move(event));
        }
        if (wake_) wake_();
    }
    std::function<void()> on_dropped;

  private:
    std::mutex mutex_;
    std::deque<StreamEvent> events_;
    std::function<void()> wake_;
};

class FakeEngine : public Engine {
  public:
    explicit FakeEngine(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

    // What each request gets; by default nothing, until the test adds it.
    std::function<void(const GenerationRequest&, FakeStream&)> script;
    std::function<void(const EmbeddingRequest&, FakeStream&)> embedding_script;
    std::vector<GenerationRequest> requests;
    std::vector<std::weak_ptr<FakeStream>> streams;
    int dropped = 0;
    int64_t context = 256;

    std::shared_ptr<Stream> submit(GenerationRequest request) override {
        const auto stream = make_stream();
        requests.push_back(request);
        if (script) script(request, *stream);
        return stream;
    }
    std::shared_ptr<Stream> submit(EmbeddingRequest request) override {
        const auto stream = make_stream();
        if (embedding_script) embedding_script(request, *stream);
        return stream;
    }

    // The pieces of a text as this model would write it, then the end of choice `choice`.
    void say(FakeStream& stream, const GenerationRequest& request, const std::string& text,
             FinishReason reason = FinishReason::end_of_generation, int choice = 0) const {
        const auto tokens = model_->tokenizer()->encode(text, {.add_special = false, .parse_special = false});
        Detokenizer detokenizer(*model_->tokenizer(), false, true);
        for (const Token token : tokens) {
            TokenPiece piece;
            piece.choice = choice;
            piece.token = token;
            piece.text = detokenizer.push(token);
            piece.logprob = -0.5f;
            for (int i = 0; i < request.logprobs; ++i) piece.likely.push_back({token + i, -0.5f - float(i)});
            stream.add(std::move(piece));
        }
        end(stream, request, int64_t(tokens.size()), reason, choice);
    }
    void end(FakeStream& stream, const GenerationRequest& request, int64_t tokens, FinishReason reason,
             int choice = 0) const {
        Finished finished;
        finished.choice = choice;
        finished.reason = reason;
        finished.timings = {.prompt_tokens = int64_t(request.prompt.size()), .cached_tokens = 1, .tokens = tokens,
                            .queue_seconds = 0.001, .prompt_seconds = 0.01, .generate_seconds = 0.02};
        stream.add(std::move(finished));
    }

    const Model& model() const override { return *model_; }
    int64_t context_tokens() const override { return context; }
    KvType key_type() const override { return KvType::f16; }
    KvType value_type() const override { return KvType::f16; }
    int64_t sequences_max() const override { return 4; }
    std::vector<SlotState> slots() const override {
        std::vector<SlotState> both(2);
        both[1].id = 1;
        both[1].busy = true;
        return both;
    }
    int64_t running() const override { return 1; }
    int64_t waiting() const override { return 2; }
    MetricsSnapshot metrics() const override { return {}; }
    Result<SavedSequence> save(int64_t, const std::filesystem::path& path) override {
        saved.push_back(path);
        return SavedSequence{.tokens = 7, .bytes = 70, .seconds = 0.001};
    }
    Result<SavedSequence> restore(int64_t, const std::filesystem::path&) override {
        return fail(Code::not_found, "there is no such file");
    }
    Result<int64_t> erase(int64_t) override { return int64_t(7); }
    void drain() override {}
    Status fault() const override { return broken; }
    Status broken;
    std::vector<std::filesystem::path> saved;

  private:
    std::shared_ptr<FakeStream> make_stream() {
        auto stream = std::make_shared<FakeStream>();
        stream->on_dropped = [this] { ++dropped; };
        streams.push_back(stream);
        return stream;
    }

    std::shared_ptr<const Model> model_;
};

}  // namespace ingle::server
