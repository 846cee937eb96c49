// The engine of one model: many requests on one set of weights and one paged cache, batched step by step.
//
// A step takes one token of every answer under way, then chunks of waiting prompts up to a budget of tokens. Every
// answer is the same, bit for bit, whoever its neighbours are. One thread of its own; submit() from any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "engine/metrics.h"
#include "engine/model.h"
#include "engine/request.h"
#include "engine/shift.h"

namespace ingle {

struct EngineOptions {
    int64_t context_tokens = 0;       // of one sequence; 0: as trained, or less if memory is short
    int64_t sequences_max = 0;        // answers under way at once; 0: chosen
    int64_t chunk_tokens = 512;       // tokens of one step
    KvType key_type = KvType::f16;
    KvType value_type = KvType::f16;
    bool full_windows = false;        // layers with a sliding window keep what has left it, too
    int64_t queue_requests_max = 512; // more are refused with Code::limit
    int64_t queue_tokens_max = 0;     // likewise, tokens of all waiting prompts; 0: no bound
    uint64_t prefix_bytes_max = 0;    // KV of kept prefixes that no one uses; 0: what the cache has left
    double target_token_seconds = 0;  // between two tokens of an answer: bounds the prompt tokens of a step; 0: none
    double cache_share = 0.75;        // of the memory that is free when the engine opens: what keys and values may take
    bool context_shift = false;       // when a context is full, forget its oldest tokens and go on
    ShiftOptions shift = {};
};

// One sequence under way, for /slots and the like.
struct SlotState {
    int64_t id = 0;
    bool busy = false;
    std::string request_id;
    int64_t prompt_tokens = 0;
    int64_t prompt_done = 0;
    int64_t generated = 0;
};

// What was written or read.
struct SavedSequence {
    int64_t tokens = 0;
    uint64_t bytes = 0;
    double seconds = 0;
};

class Engine {
  public:
    // Cancels what is left and joins its thread. Let go within a call of its own, like that of Stream::on_event(), it
    // ends after that call.
    virtual ~Engine() = default;

    static Result<std::shared_ptr<Engine>> open(std::shared_ptr<const Model> model,
                                                const EngineOptions& options);

    // Never blocks and never fails: a request that cannot be taken ends at once with its reason.
    virtual std::shared_ptr<Stream> submit(GenerationRequest request) = 0;
    virtual std::shared_ptr<Stream> submit(EmbeddingRequest request) = 0;

    virtual const Model& model() const = 0;
    virtual int64_t context_tokens() const = 0;
    virtual KvType key_type() const = 0;
    virtual KvType value_type() const = 0;
    virtual int64_t sequences_max() const = 0;
    virtual std::vector<SlotState> slots() const = 0;
    // Requests under way and waiting.
    virtual int64_t running() const = 0;
    virtual int64_t waiting() const = 0;
    virtual MetricsSnapshot metrics() const = 0;

    // Writes what ran in a slot last, as far as it is still cached, to a file; and brings it back, for any request that
    // begins with its tokens. The file is bound to the model and to the types of keys and values; another one is refused,
    // and nothing changes then. They wait for steps under way, not the other way round.
    virtual Result<SavedSequence> save(int64_t slot, const std::filesystem::path& path) = 0;
    virtual Result<SavedSequence> restore(int64_t slot, const std::filesystem::path& path) = 0;
    // Forgets it; how many tokens it had.
    virtual Result<int64_t> erase(int64_t slot) = 0;

    // Takes no more requests; those taken go on.
    virtual void drain() = 0;
    // Not ok once the engine has stopped for good, by a fault of its own; every request fails then with the same words.
    virtual Status fault() const { return {}; }
};

}  // namespace ingle
