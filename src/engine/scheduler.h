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
#include "kv/state_file.h"
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
    KvType key_type() const override { return options_.key_type; }
    KvType value_type() const override { return options_.value_type; }
    int64_t sequences_max() const override { return options_.sequences_max; }
    std::vector<SlotState> slots() const override;
    int64_t running() const override { return running_.load(std::memory_order_relaxed); }
    int64_t waiting() const override { return waiting_.load(std::memory_order_relaxed); }
    void drain() override;
    Status fault() const override;
    MetricsSnapshot metrics() const override;
    Result<SavedSequence> save(int64_t slot, const std::filesystem::path& path) override;
    Result<SavedSequence> restore(int64_t slot, const std::filesystem::path& path) override;
    Result<int64_t> erase(int64_t slot) override;

    Scheduler(std::shared_ptr<const Model> model, const EngineOptions& options);

  private:
    // Any thread.
    Status check_prompt(std::span<const Token> tokens) const;
    Result<std::unique_ptr<Lane>> make_answer(const GenerationRequest& request, int choice,
                                              uint64_t seed);
    Result<std::unique_ptr<Lane>> make_lanes(GenerationRequest& request);
    // A request made by make(): in the queue, or ended with the reason why not.
    template <class Make>
    std::shared_ptr<Stream> enqueue(const RequestInfo& info, Make&& make);
    Status accept(std::unique_ptr<Lane> lane);
    std::shared_ptr<const grammar::TokenTrie> trie();
    // Runs `work` on the engine's thread, between two steps, and waits for it.
    Status on_engine(std::function<Status()> work);
    Status check_slot(int64_t slot) const;
    struct HeldPages;
    Result<SavedSequence> write_state(const std::filesystem::path& path, const HeldPages& held,
                                      std::span<const Token> tokens);

    // Lets go of an engine: at once, or on its own thread when it is done there.
    static void end(Scheduler* engine);

    // The engine's thread.
    void loop();
    void turns();
    void turn();
    // After a turn that memory ran out in: ends whose rows were collected and not taken.
    void end_step(const Status& status);
    bool wait_for_work();
    void run_errands();
    void sweep();
    void admit();
    // Sends back who has the least claim to a slot, if that is less than the waiting lane's.
    bool make_way(const Lane& lane);
    void begin(Slot& slot);
    // False if there was nothing to compute, or no page to do it in.
    bool step_answers();
    void collect_decoding();
    void collect_prompts();
    // False if there was no memory: then the slot's request has ended.
    bool add_rows(Slot& slot, int64_t count);
    void give_way(Slot& slot);
    bool step_embeddings();
    void took_time(Clock::time_point start, int64_t decoding);
    void took_step(const StepRows::Member& member, std::span<const float> logits,
                   const Status& status);
    void take_logits(const StepRows::Member& member, std::span<const float> logits);
    void take_states(Slot& slot, std::span<const float> states);
    void prompt_done(Slot& slot, std::span<const float> logits);
    void fork(Slot& slot, std::span<const float> logits);
    void draw(Slot& slot, std::span<const float> logits);
    // Makes room in a full context by forgetting its oldest tokens; false if that was not asked for.
    bool shift(Slot& slot);
    void send_piece(Lane& lane, Answer::Step& step, std::span<const float> logits);
    void send_progress(const Slot& slot);
    void finish(Slot& slot, FinishReason reason);
    void fail_slot(Slot& slot, const Status& status);
    void time_token(Lane& lane, Clock::time_point now);
    // The lane is out of queue and slots; the request ends with its last.
    void end_lane(std::unique_ptr<Lane> lane, const Status& status);
    void tell_places();
    void publish();

    std::shared_ptr<const Model> model_;
    EngineOptions options_;
    std::unique_ptr<backend::KvStore> store_;
    kv::StateBinding binding_;
    int64_t sequence_pages_max_ = 0;
    std::unique_ptr<Slots> slots_;
    std::unique_ptr<StepRunner> runner_;
    std::unique_ptr<StepRows> rows_;
    Pace pace_;
    Metrics metrics_;
    std::vector<sampling::TokenProbability> likely_;
    size_t taken_ = 0;  // of the members of rows_

    mutable std::mutex mutex_;  // of what follows, up to the blank line
    std::condition_variable work_;
    WaitingQueue queue_;
    uint64_t places_told_ = 0;  // changes of the queue that those in it know of
    std::vector<std::function<void()>> errands_;
    bool stopping_ = false;
    bool abandoned_ = false;  // on the engine's own thread, which ends it
    bool draining_ = false;
    Status fault_;  // why it has stopped for good
    uint64_t arrivals_ = 0;

    std::mutex trie_mutex_;
    std::shared_ptr<const grammar::TokenTrie> trie_;

    mutable std::mutex state_mutex_;
    std::vector<SlotState> state_;
    MetricsSnapshot held_;  // what the engine holds: pages, prefixes, memory
    std::atomic<int64_t> running_ = 0;
    std::atomic<int64_t> waiting_ = 0;

    std::thread thread_;  // last: it uses all of the above
};

}  // namespace ingle
