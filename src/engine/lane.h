// What the engine keeps of a request (Job), of each answer to it (Lane), and of each place where an answer can run
// (Slot). The engine's thread alone touches them once they were submitted.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/answer.h"
#include "engine/event_queue.h"
#include "engine/pooling.h"
#include "engine/request.h"
#include "engine/within_memory.h"
#include "kv/prefix_tree.h"
#include "kv/sequence.h"

namespace ingle {

struct Lane;

// One request.
struct Job {
    RequestInfo info;
    std::shared_ptr<EventQueue> events;
    // Answers that begin when the first has read the prompt; they know their job from then on.
    std::vector<std::unique_ptr<Lane>> forks;
    int open = 0;                              // answers that did not end yet
    Status status;                             // the first failure
    int logprobs = -1;
    bool logprobs_after_sampling = false;
    bool cache_prompt = true;
    int64_t place_told = -1;  // in the queue
    bool told_end = false;

    Job() = default;
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    // Whoever waits for a request hears of its end, even if it was lost for lack of memory.
    ~Job() {
        if (events != nullptr && !told_end) events->push(Done{out_of_memory()});
    }
};

// One answer, or one text to embed. Waits in the queue, runs in a slot, may go back.
struct Lane {
    std::shared_ptr<Job> job;
    int choice = 0;
    std::vector<Token> tokens;  // the prompt, then what was drawn
    int64_t prompt_tokens = 0;
    int64_t dropped = 0;        // of `tokens`, by shifts of the context
    uint64_t arrival = 0;       // order of submission
    bool begun = false;         // was admitted before

    // Of an answer.
    std::optional<sampling::Chain> chain;
    std::optional<GrammarMask> grammar;
    std::optional<Answer> answer;
    int64_t tokens_max = -1;
    bool told_prompt = false;  // the chain knows the prompt

    // Of an embedding.
    std::optional<Pooler> pooler;

    int64_t cached = 0;                  // tokens of the prompt that were not computed
    Clock::time_point started = {};      // admitted first
    Clock::time_point prompt_done = {};
    Clock::time_point last_token = {};

    bool embeds() const { return pooler.has_value(); }
    bool read_prompt() const { return prompt_done != Clock::time_point(); }
    int64_t generated() const { return int64_t(tokens.size()) + dropped - prompt_tokens; }
};

struct Slot {
    Slot(int64_t slot_id, kv::PagePool& pool, int64_t page_tokens, int64_t pages_max)
        : id(slot_id), sequence(pool, page_tokens, pages_max) {}

    int64_t id;
    std::unique_ptr<Lane> lane;  // null: free
    kv::Sequence sequence;
    kv::PrefixTree::Place place;
    uint64_t admission = 0;      // order of admission: the highest is the youngest
    std::vector<Token> last;     // the tokens of what ran here before
    std::string last_salt;

    // Tokens not computed yet; what is drawn next needs the last one's logits.
    int64_t rest() const { return int64_t(lane->tokens.size()) - sequence.length(); }
};

}  // namespace ingle
