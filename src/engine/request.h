// What callers ask of the engine and what they get back. A request is plain values; its answer is a stream of events
// that the engine appends to and never waits for.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/option.h"
#include "base/status.h"
#include "engine/generate.h"
#include "grammar/grammar.h"

namespace ingle {

using Clock = std::chrono::steady_clock;

// What requests of any kind say of themselves.
struct RequestInfo {
    std::string id;               // for logs and metrics
    std::string client;           // whose share of the engine it counts to
    std::string salt;             // prefixes are shared among requests of the same salt only
    int priority = 0;             // higher goes first
    int64_t slot = -1;            // where to run if that one is free; -1: anywhere
    Clock::time_point arrival = Clock::now();
    Clock::time_point deadline = Clock::time_point::max();  // to begin by; then Code::limit
};

struct GenerationRequest {
    RequestInfo info;
    std::vector<Token> prompt;                  // at least one token
    OptionValues sampling;                      // values for sampling_options()
    int64_t tokens_max = -1;                    // -1: until the context is full
    std::vector<std::string> stops;
    bool show_special = false;
    bool ignore_end = false;
    bool begins_text = false;
    std::shared_ptr<grammar::Grammar> grammar;  // null: anything
    grammar::Triggers triggers;                 // none: the grammar holds from the start
    int choices = 1;                            // answers to the one prompt; choice i has seed + i
    int logprobs = -1;                          // candidates listed with each token; -1: none, 0: the token's own
    bool logprobs_after_sampling = false;       // probabilities of the final draw instead of the model's
    ReasoningOptions reasoning;                 // how it may be ended early
    bool cache_prompt = true;                   // look for the prompt's beginning among kept prefixes
};

// Rows of the last hidden state, pooled; `rank`: one number, which the model's ranking head makes of the last.
enum class Pooling { mean, cls, last, none, rank };

struct EmbeddingRequest {
    RequestInfo info;
    std::vector<Token> input;
    Pooling pooling = Pooling::mean;
    bool normalize = true;  // to length 1
};

struct TokenChance {
    Token token = 0;
    float logprob = 0;  // natural logarithm
};

// Between chunks of the prompt. Sent to those that wait in the queue, too, with done 0 and their place.
struct PromptProgress {
    int64_t total = 0;
    int64_t cached = 0;      // found among kept prefixes
    int64_t done = 0;        // with the cached ones
    int64_t queue_place = 0; // 0: running
};

// A token of an answer. Its text may be empty (half a character, or held back as the beginning of a stop string);
// the texts of all pieces in order are the answer.
struct TokenPiece {
    int choice = 0;
    Token token = 0;
    std::string text;
    float logprob = 0;               // if asked for
    std::vector<TokenChance> likely; // descending, if asked for
};

struct Timings {
    int64_t prompt_tokens = 0;  // all of them
    int64_t cached_tokens = 0;  // of those, not computed
    int64_t tokens = 0;         // generated
    double queue_seconds = 0;
    double prompt_seconds = 0;
    double generate_seconds = 0;
};

// The end of one choice.
struct Finished {
    int choice = 0;
    FinishReason reason = FinishReason::length;
    std::string stop;     // the stop string that came, if one did
    std::string text;     // what was still held back
    Timings timings;
};

struct Embedding {
    std::vector<float> values;  // [columns], [tokens, columns] with Pooling::none, [1] with Pooling::rank
    int64_t tokens = 0;
};

// The end of the request: nothing follows.
struct Done {
    Status status;  // ok, or why it failed; a cancelled request says Code::cancelled
};

using StreamEvent = std::variant<PromptProgress, TokenPiece, Finished, Embedding, Done>;

// The receiving end of a request. Any thread; the engine never blocks on it. Dropping the last reference cancels.
class Stream {
  public:
    virtual ~Stream() = default;
    // The next event if there is one, in order.
    virtual bool poll(StreamEvent& event) = 0;
    // Waits for the next event; false if none came by `until`.
    virtual bool wait(StreamEvent& event, Clock::time_point until = Clock::time_point::max()) = 0;
    // Called from the engine's thread, under no lock, whenever events were added to an empty stream: it must return
    // soon. Called at once if there are events. A call that has begun may end after the stream is gone.
    virtual void on_event(std::function<void()> wake) = 0;
    // The request ends within one step, wherever it is.
    virtual void cancel() = 0;
    // Answers under way stop reasoning, where their request says how, and go on with what follows it.
    virtual void end_reasoning() {}
};

}  // namespace ingle
