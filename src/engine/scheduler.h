// The engine: a queue, slots, and a thread that takes step after step.
//
// A step: those who went away are let go, waiting answers get free slots, then one token of every answer under way and
// chunks of prompts as far as the budget goes are computed together, and a token is drawn for each answer.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/engine.h"
#include "engine/pace.h"
#include "engine/slots.h"
#include "engine/step_runner.h"
#include "engine/waiting.h"
#include "sampling/probabilities.h"

namespace ingle {

class Scheduler final : public Engine {
  public:
    // `options` with its numbers settled; `pages` of the cache.
    static Result<std::shared_ptr<Scheduler>> make(std::shared_ptr<const Model> model,
                                                   const EngineOptions& options,
                                                   const CacheOptions& cache);
    ~Scheduler() override;

    std::shared_ptr<Stream> submit(GenerationRequest request) override;
    std::shared_ptr<Stream> submit(EmbeddingRequest request) override;

    const Model& model() const override { return *model_; }
    int64_t context_tokens() const override { return options_.context_tokens; }
    int64_t sequences_max() const override { return options_.sequences_max; }
    std::vector<SlotState> slots() const override;
    int64_t running() const override { return running_.load(std::memory_order_relaxed); }
    int64_t waiting() const override { return waiting_.load(std::memory_order_relaxed); }
    void drain() override;

    Scheduler(std::shared_ptr<const Model> model, const EngineOptions& options);

  private:
    // Any thread.
    Status check_prompt(std::span<const Token> tokens) const;
    Result<std::unique_ptr<Lane>> make_answer(const GenerationRequest& request, int choice,
                                              uint64_t seed);
    Result<std::unique_ptr<Lane>> make_lanes(GenerationRequest& request);
    std::shared_ptr<Stream> enqueue(Result<std::unique_ptr<Lane>> lane, const RequestInfo& info);
    std::shared_ptr<const grammar::TokenTrie> trie();

    // The engine's thread.
    void loop();
    bool wait_for_work();
    void sweep();
    void admit();
    void begin(Slot& slot);
    // False if there was nothing to compute, or no page to do it in.
    bool step_answers();
    void collect_decoding();
    void collect_prompts();
    void add_rows(Slot& slot, int64_t count);
    void give_way(Slot& slot);
    bool step_embeddings();
    void took_step(const StepRows::Member& member, std::span<const float> logits,
                   const Status& status);
    void prompt_done(Slot& slot, std::span<const float> logits);
    void fork(Slot& slot, std::span<const float> logits);
    void draw(Slot& slot, std::span<const float> logits);
    void send_piece(Lane& lane, Answer::Step& step, std::span<const float> logits);
    void send_progress(const Slot& slot);
    void finish(Slot& slot, FinishReason reason);
    void fail_slot(Slot& slot, const Status& status);
    // The lane is out of queue and slots; the request ends with its last.
    void end_lane(std::unique_ptr<Lane> lane, const Status& status);
    void tell_places();
    void publish();

    std::shared_ptr<const Model> model_;
    EngineOptions options_;
    std::unique_ptr<backend::KvStore> store_;
    std::unique_ptr<Slots> slots_;
    std::unique_ptr<StepRunner> runner_;
    std::unique_ptr<StepRows> rows_;
    Pace pace_;
    std::vector<sampling::TokenProbability> likely_;

    std::mutex mutex_;  // of what follows, up to the blank line
    std::condition_variable work_;
    WaitingQueue queue_;
    uint64_t places_told_ = 0;  // changes of the queue that those in it know of
    bool stopping_ = false;
    bool draining_ = false;
    uint64_t arrivals_ = 0;

    std::mutex trie_mutex_;
    std::shared_ptr<const grammar::TokenTrie> trie_;

    mutable std::mutex state_mutex_;
    std::vector<SlotState> state_;
    std::atomic<int64_t> running_ = 0;
    std::atomic<int64_t> waiting_ = 0;

    std::thread thread_;  // last: it uses all of the above
};

}  // namespace ingle
