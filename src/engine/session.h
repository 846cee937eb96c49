// One sequence of tokens on a model: feed tokens, read logits, go back. Not thread-safe; one thread at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/memory.h"
#include "engine/model.h"
#include "graph/observe.h"
#include "kv/sequence.h"

namespace ingle {

class Session {
  public:
    static Result<std::unique_ptr<Session>> open(std::shared_ptr<const Model> model,
                                                 const SessionOptions& options);

    const Model& model() const { return *model_; }
    int64_t context_tokens() const { return context_tokens_; }
    KvType key_type() const { return options_.key_type; }
    KvType value_type() const { return options_.value_type; }
    // Tokens fed so far; with a context that shifts, more than it holds.
    int64_t length() const { return int64_t(history_.size()); }
    std::span<const Token> tokens() const { return history_; }
    // Tokens that are still seen.
    int64_t held() const { return length() - dropped_; }
    bool shifts() const { return options_.context_shift; }
    // True if no further token can be fed.
    bool full() const { return !options_.context_shift && held() >= context_tokens_; }
    // Tokens [begin, end) of those fed stay when the context shifts.
    void pin(TokenRange range);

    // Called between chunks of a long feed with the tokens done; false stops it (Code::cancelled).
    using Progress = std::function<bool(int64_t done, int64_t total)>;

    // Appends tokens and computes the logits after the last one. On failure the session is as before, except after
    // cancellation, where the chunks already done stay.
    Status feed(std::span<const Token> tokens, const Progress& progress = {});
    // The logits after the last token fed: [vocab], valid until the next call.
    std::span<const float> logits() const { return program_->result().last(size_t(model_->vocab())); }

    // Appends tokens and hands the logits of each to `sink`, in order.
    using Sink = std::function<Status(int64_t index, std::span<const float> logits)>;
    Status evaluate(std::span<const Token> tokens, const Sink& sink);
    // Appends tokens and hands out the logits of those from index `first` on, block by block: [rows, vocab] of
    // tokens index to index + rows - 1, valid during the call. (Without logits: the rows that would meet the output matrix.)
    using BlockSink = std::function<Status(int64_t index, std::span<const float> logits)>;
    Status evaluate_from(std::span<const Token> tokens, int64_t first, const BlockSink& sink);

    // Forgets every token from `length` on. Where a shift has dropped earlier ones, everything from those on goes:
    // length() tells.
    void truncate(int64_t length);

    // Writes the tokens and what was computed of them to a file, and brings them back instead of what the session holds: how
    // many tokens. A file that was cut, changed or made for another model or cache is refused; nothing changes then.
    Result<int64_t> save(const std::filesystem::path& path) const;
    Status restore(const std::filesystem::path& path);

    // What met each matrix since the session was opened, if `observe_inputs` asked for it; else empty. Rows that are
    // not computed (the last block's, where no logits are wanted) are not seen.
    const graph::Observations& observations() const { return observations_; }

    const graph::Program& program() const { return *program_; }
    // What the session holds now; kv counts the pages in use.
    MemoryNeed memory() const;

    Session(std::shared_ptr<const Model> model, const SessionOptions& options, int64_t context);

  private:
    Status compile();
    Status check(std::span<const Token> tokens) const;
    // To a page at or before that many of the tokens held.
    bool can_go_back(int64_t held) const;
    // Computes tokens again that truncate() left without keys and values.
    Status catch_up();
    // How many of `count` tokens the next step can take; shifts if there is no room for one.
    Result<int64_t> room_for(int64_t count);
    Status shift();
    // One chunk, at most chunk_tokens; the last `outputs` of its tokens get logits.
    Status step(std::span<const Token> tokens, int64_t outputs);

    std::shared_ptr<const Model> model_;
    SessionOptions options_;
    int64_t context_tokens_;
    std::unique_ptr<backend::KvStore> kv_;
    std::optional<kv::PagePool> pool_;
    std::optional<kv::Sequence> sequence_;
    graph::Observations observations_;
    graph::Graph observed_;  // the model's graph with observers, if any were asked for
    std::unique_ptr<graph::Program> program_;
    std::vector<Token> history_;  // all that was fed; may be ahead of the sequence: catch_up()
    int64_t dropped_ = 0;         // of history_, between these two
    int64_t first_dropped_ = 0;
    int64_t last_dropped_ = 0;
    std::vector<TokenRange> pinned_;  // in places of the sequence
    int64_t prompt_tokens_ = 0;       // of the first feed
    std::vector<int32_t> positions_;  // of one chunk
    std::vector<int32_t> outputs_;
};

}  // namespace ingle
