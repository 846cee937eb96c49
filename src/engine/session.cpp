#include "engine/session.h"

#include <algorithm>
#include <mutex>

#include "base/log.h"
#include "base/platform.h"

namespace ingle {

namespace {

int64_t pages_for(int64_t tokens, int64_t page_tokens) {
    return (tokens + page_tokens - 1) / page_tokens;
}

}  // namespace

Session::Session(std::shared_ptr<const Model> model, const SessionOptions& options, int64_t context)
    : model_(std::move(model)),
      options_(options),
      context_tokens_(context),
      positions_(size_t(options.chunk_tokens)),
      outputs_(size_t(options.outputs_max)) {
    history_.reserve(size_t(context));
}

Result<std::unique_ptr<Session>> Session::open(std::shared_ptr<const Model> model,
                                               const SessionOptions& asked) {
    SessionOptions options = asked;
    const int64_t trained = model->context_trained();
    INGLE_ASSIGN(const SettledContext settled,
                 settle_context(*model, options, platform::available_memory_bytes()));
    int64_t context = settled.tokens;
    if (options.context_shift) {
        INGLE_TRY(can_shift(*model));
        context = shifting_context(context, options.page_tokens);
    }
    if (trained > 0 && context > trained)
        log(LogLevel::warning, "a context of ", context, " tokens is more than the ", trained,
            " this model was trained on; its answers will get worse beyond them");
    options.chunk_tokens = std::clamp<int64_t>(options.chunk_tokens, 1, context);
    options.outputs_max = std::clamp<int64_t>(options.outputs_max, 1, options.chunk_tokens);
    auto session = std::make_unique<Session>(std::move(model), options, context);
    INGLE_TRY(session->compile());
    return session;
}

Status Session::compile() {
    backend::KvLayout layout = layout_of(model_->graph(), options_);
    layout.pages_max = pages_for(context_tokens_, options_.page_tokens);
    backend::Device& device = model_->runtime().device();
    INGLE_ASSIGN(kv_, device.make_kv(layout));
    backend::KvStore* const stores[] = {kv_.get()};
    kv::PoolOptions pages;
    pages.window = window_of(layout);
    pages.windows_max = windows_max(layout, options_, context_tokens_);
    pool_.emplace(layout.pages_max, stores, pages);
    sequence_.emplace(*pool_, layout.page_tokens, layout.pages_max);
    const graph::Binding bindings[] = {{&device, &model_->weights(), kv_.get()}};
    if (options_.observe_inputs) observed_ = graph::observe_linears(model_->graph(), observations_);
    if (options_.observe_inputs && options_.without_logits)
        observed_ = graph::without_output_matrix(std::move(observed_));
    const graph::Graph& graph = options_.observe_inputs ? observed_ : model_->graph();
    INGLE_ASSIGN(program_, graph::Program::compile(graph, bindings, options_.chunk_tokens,
                                                   options_.outputs_max));
    return {};
}

Status Session::check(std::span<const Token> tokens) const {
    for (size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i] < 0 || tokens[i] >= model_->vocab())
            return fail(Code::invalid_argument, "token ", i, ": expected an id from 0 to ",
                        model_->vocab() - 1, ", found ", tokens[i]);
    const int64_t used = options_.context_shift ? 0 : held();
    if (used + int64_t(tokens.size()) > context_tokens_)
        return fail(Code::limit, "the context of ", context_tokens_, " tokens is full: ", used,
                    " are used, ", tokens.size(), " more were asked for");
    return {};
}

Status Session::step(std::span<const Token> tokens, int64_t outputs) {
    const int64_t first = sequence_->length();
    INGLE_TRY(sequence_->grow(int64_t(tokens.size())));
    for (size_t i = 0; i < tokens.size(); ++i) positions_[i] = int32_t(first + int64_t(i));
    for (int64_t i = 0; i < outputs; ++i)
        outputs_[size_t(i)] = int32_t(int64_t(tokens.size()) - outputs + i);
    const SequenceRows rows{sequence_->pages(), 0, int32_t(tokens.size()), 0, int32_t(outputs),
                            int32_t(sequence_->first_windowed_token())};
    backend::Call call;
    call.batch.tokens = tokens;
    call.batch.positions = {positions_.data(), tokens.size()};
    call.batch.outputs = {outputs_.data(), size_t(outputs)};
    call.batch.sequences = {&rows, 1};
    Status status;
    {
        const std::lock_guard lock(model_->runtime().step_mutex());
        status = program_->run(call);
    }
    if (status.ok()) status = model_->intact();
    if (!status.ok()) {
        truncate(first + dropped_);
        return status;
    }
    history_.insert(history_.end(), tokens.begin(), tokens.end());
    sequence_->trim();
    return {};
}

Status Session::feed(std::span<const Token> tokens, const Progress& progress) {
    INGLE_TRY(check(tokens));
    INGLE_TRY(catch_up());
    const int64_t total = int64_t(tokens.size());
    if (history_.empty()) prompt_tokens_ = total;
    for (int64_t done = 0; done < total;) {
        INGLE_ASSIGN(const int64_t count, room_for(std::min(options_.chunk_tokens, total - done)));
        const bool last = done + count == total;
        INGLE_TRY(step(tokens.subspan(size_t(done), size_t(count)), last ? 1 : 0));
        done += count;
        if (!last && progress && !progress(done, total))
            return fail(Code::cancelled, "stopped after ", done, " of ", total, " tokens");
    }
    return {};
}

Status Session::evaluate(std::span<const Token> tokens, const Sink& sink) {
    const size_t vocab = size_t(model_->vocab());
    return evaluate_from(tokens, 0, [&](int64_t index, std::span<const float> logits) {
        for (size_t at = 0; at < logits.size(); at += vocab)
            INGLE_TRY(sink(index + int64_t(at / vocab), logits.subspan(at, vocab)));
        return Status();
    });
}

Status Session::evaluate_from(std::span<const Token> tokens, int64_t first, const BlockSink& sink) {
    INGLE_TRY(check(tokens));
    INGLE_TRY(catch_up());
    const int64_t total = int64_t(tokens.size());
    for (int64_t done = 0; done < total;) {
        const bool silent = done < first;
        const int64_t wanted = silent ? std::min(options_.chunk_tokens, first - done)
                                      : std::min(options_.outputs_max, total - done);
        INGLE_ASSIGN(const int64_t count, room_for(wanted));
        INGLE_TRY(step(tokens.subspan(size_t(done), size_t(count)), silent ? 0 : count));
        if (!silent) INGLE_TRY(sink(done, program_->result()));
        done += count;
    }
    return {};
}

bool Session::can_go_back(int64_t held) const {
    return sequence_->can_go_back(held / options_.page_tokens * options_.page_tokens);
}

// Exact forms of a page are gone once it is full (kv_view.h), and what is written to a page that moved would move with it:
// of such a page the tokens that stay are computed again. So is everything, if what has left a window would be seen.
void Session::truncate(int64_t length) {
    const bool whole = length >= this->length();
    if (dropped_ > 0 && (length < last_dropped_ || (!whole && !can_go_back(length - dropped_)))) {
        length = std::min(length, first_dropped_);
        dropped_ = 0;
    }
    history_.resize(std::min(history_.size(), size_t(length)));
    const int64_t page = held() / options_.page_tokens;
    int64_t kept = held();
    if (kept % options_.page_tokens != 0 && kept < sequence_->length()) {
        const bool was_full = sequence_->length() >= (page + 1) * options_.page_tokens;
        const bool exact_gone =
            was_full && page > 0 && layout_of(model_->graph(), options_).has_exact_forms();
        const bool moved = sequence_->pages()[size_t(page)].shift != 0;
        if (exact_gone || moved) kept = page * options_.page_tokens;
    }
    if (kept < sequence_->length()) sequence_->truncate(kept);
    std::erase_if(pinned_, [&](const TokenRange& range) { return range.end > held(); });
}

Status Session::catch_up() {
    const int64_t missing = held() - sequence_->length();
    if (missing == 0) return {};
    const std::vector<Token> again(history_.end() - missing, history_.end());
    history_.resize(history_.size() - size_t(missing));
    for (size_t done = 0; done < again.size();) {
        const size_t count = std::min(again.size() - done, size_t(options_.chunk_tokens));
        Status status = step(std::span(again).subspan(done, count), 0);
        if (!status.ok()) {
            history_.insert(history_.end(), again.begin() + int64_t(done), again.end());
            return status;
        }
        done += count;
    }
    return {};
}

void Session::pin(TokenRange range) {
    const int64_t moved = range.begin >= last_dropped_ ? dropped_ : 0;
    pinned_.push_back({range.begin - moved, range.end - moved});
}

Result<int64_t> Session::room_for(int64_t count) {
    if (!options_.context_shift) return count;
    if (sequence_->length() >= context_tokens_) INGLE_TRY(shift());
    return std::min(count, context_tokens_ - sequence_->length());
}

Status Session::shift() {
    const int64_t page_tokens = options_.page_tokens;
    ShiftOptions options = options_.shift;
    if (options.keep_tokens < 0) options.keep_tokens = prompt_tokens_;
    INGLE_ASSIGN(const auto pages, pages_to_drop(sequence_->length() / page_tokens, page_tokens,
                                                 options, pinned_));
    for (TokenRange& range : pinned_) {
        int64_t before = 0;
        for (const int64_t page : pages) before += page * page_tokens < range.begin ? page_tokens : 0;
        range = {range.begin - before, range.end - before};
    }
    if (dropped_ == 0) first_dropped_ = pages.front() * page_tokens;
    last_dropped_ = (pages.back() + 1) * page_tokens + dropped_;
    dropped_ += int64_t(pages.size()) * page_tokens;
    sequence_->drop(pages);
    return {};
}

MemoryNeed Session::memory() const {
    MemoryNeed need;
    need.weights = model_->weights().bytes();
    need.kv = kv_bytes(layout_of(model_->graph(), options_), options_, held());
    need.compute = program_->activation_bytes() + program_->scratch_bytes();
    return need;
}

}  // namespace ingle
