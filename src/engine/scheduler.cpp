#include "engine/scheduler.h"

#include <algorithm>

#include "base/platform.h"
#include "sampling/options.h"

namespace ingle {

Scheduler::Scheduler(std::shared_ptr<const Model> model, const EngineOptions& options)
    : model_(std::move(model)),
      options_(options),
      pace_(options.target_token_seconds),
      queue_(options.queue_requests_max, options.queue_tokens_max),
      state_(size_t(options.sequences_max)) {
    for (size_t i = 0; i < state_.size(); ++i) state_[i].id = int64_t(i);
}

Result<std::shared_ptr<Scheduler>> Scheduler::make(std::shared_ptr<const Model> model,
                                                   const EngineOptions& options,
                                                   const CacheOptions& cache) {
    std::shared_ptr<Scheduler> scheduler(new Scheduler(std::move(model), options), &Scheduler::end);
    Scheduler& self = *scheduler;
    backend::KvLayout layout;
    layout.layers = self.model_->graph().kv_layers;
    layout.key_type = options.key_type;
    layout.value_type = options.value_type;
    layout.page_tokens = cache.page_tokens;
    layout.pages_max = cache.pages_max;
    layout.drops_windows = cache.window.tokens > 0;
    INGLE_ASSIGN(self.store_, self.model_->runtime().device().make_kv(layout));
    self.binding_ = kv::StateBinding::of(layout, self.model_->fingerprint());
    self.sequence_pages_max_ = cache.sequence_pages_max;
    self.held_.window_page_bytes = layout.window_page_bytes();
    self.held_.page_bytes = layout.page_bytes() - self.held_.window_page_bytes;
    backend::KvStore* const stores[] = {self.store_.get()};
    self.slots_ = std::make_unique<Slots>(cache, stores, options.sequences_max);
    // A step has room for a token of every answer.
    const StepLimits limits{std::max(options.chunk_tokens, options.sequences_max),
                            options.sequences_max};
    INGLE_ASSIGN(self.runner_, StepRunner::make(self.model_, *self.store_, limits));
    self.rows_ = std::make_unique<StepRows>(limits.rows_max, options.sequences_max);
    self.publish();
    self.thread_ = std::thread([&self] {
        self.loop();
        if (!self.abandoned_) return;
        self.thread_.detach();
        delete &self;
    });
    return scheduler;
}

// Whoever reads a stream may hold the engine's last owner, and be called by the engine's own thread: a thread cannot wait
// for itself.
void Scheduler::end(Scheduler* engine) {
    if (!engine->thread_.joinable() || engine->thread_.get_id() != std::this_thread::get_id())
        return delete engine;
    const std::lock_guard lock(engine->mutex_);
    engine->stopping_ = engine->abandoned_ = true;
}

Scheduler::~Scheduler() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    work_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Scheduler::drain() {
    const std::lock_guard lock(mutex_);
    draining_ = true;
}

std::vector<SlotState> Scheduler::slots() const {
    const std::lock_guard lock(state_mutex_);
    return state_;
}

MetricsSnapshot Scheduler::metrics() const {
    MetricsSnapshot all;
    metrics_.fill(all);
    {
        const std::lock_guard lock(state_mutex_);
        all.pages_used = held_.pages_used;
        all.pages_committed = held_.pages_committed;
        all.pages_max = held_.pages_max;
        all.page_bytes = held_.page_bytes;
        all.windows_used = held_.windows_used;
        all.windows_committed = held_.windows_committed;
        all.windows_max = held_.windows_max;
        all.window_page_bytes = held_.window_page_bytes;
        all.prefix = held_.prefix;
        all.scratch_bytes = held_.scratch_bytes;
    }
    all.running = running();
    all.waiting = waiting();
    all.waiting_max = options_.queue_requests_max;
    all.sequences_max = options_.sequences_max;
    all.context_tokens = options_.context_tokens;
    all.page_tokens = slots_->page_tokens();
    all.persistent_bytes = model_->weights().bytes();
    all.active_bytes = all.bytes_of(all.pages_committed, all.windows_committed);
    all.resident_bytes = platform::resident_bytes();
    all.peak_resident_bytes = platform::peak_resident_bytes();
    all.process = platform::process_use();
    return all;
}

Status Scheduler::check_prompt(std::span<const Token> tokens) const {
    if (tokens.empty())
        return fail(Code::invalid_argument, "expected at least one token, found none");
    for (size_t i = 0; i < tokens.size(); ++i)
        if (tokens[i] < 0 || tokens[i] >= model_->vocab())
            return fail(Code::invalid_argument, "token ", i, ": expected an id from 0 to ",
                        model_->vocab() - 1, ", found ", tokens[i]);
    if (int64_t(tokens.size()) > options_.context_tokens)
        return fail(Code::limit, "the request has ", tokens.size(),
                    " tokens, but the context has room for ", options_.context_tokens);
    return {};
}

std::shared_ptr<const grammar::TokenTrie> Scheduler::trie() {
    const std::lock_guard lock(trie_mutex_);
    if (trie_ == nullptr) trie_ = token_trie_of(*model_->tokenizer());
    return trie_;
}

Result<std::unique_ptr<Lane>> Scheduler::make_answer(const GenerationRequest& request, int choice,
                                                     uint64_t seed) {
    auto lane = std::make_unique<Lane>();
    lane->choice = choice;
    lane->tokens = request.prompt;
    lane->prompt_tokens = int64_t(request.prompt.size());
    lane->tokens_max = request.tokens_max;
    OptionValues sampling = request.sampling;
    if (choice > 0) INGLE_TRY(sampling.set("seed", int64_t(seed)));
    INGLE_ASSIGN(lane->chain,
                 sampling::Chain::make(sampling,
                                       vocabulary_of(*model_->tokenizer(), model_->vocab()),
                                       options_.context_tokens));
    if (request.grammar != nullptr)
        lane->grammar.emplace(request.grammar, trie(), request.triggers);
    const AnswerOptions options{.tokens_max = request.tokens_max,
                                .stops = request.stops,
                                .show_special = request.show_special,
                                .ignore_end = request.ignore_end,
                                .begins_text = request.begins_text,
                                .reasoning = request.reasoning};
    lane->answer.emplace(*model_->tokenizer(), options, *lane->chain,
                         lane->grammar ? &*lane->grammar : nullptr);
    return lane;
}

Result<std::unique_ptr<Lane>> Scheduler::make_lanes(GenerationRequest& request) {
    constexpr int choices_most = 128;
    INGLE_TRY(check_prompt(request.prompt));
    if (request.choices < 1 || request.choices > choices_most)
        return fail(Code::invalid_argument, "choices: expected 1 to ", choices_most, ", found ",
                    request.choices);
    if (request.sampling.options().empty())
        request.sampling = OptionValues(sampling::sampling_options());
    auto job = std::make_shared<Job>();
    job->logprobs = request.logprobs;
    job->logprobs_after_sampling = request.logprobs_after_sampling;
    job->cache_prompt = request.cache_prompt;
    job->open = request.choices;
    INGLE_ASSIGN(auto first, make_answer(request, 0, 0));
    // As far as the option goes, which is 32 bits without a sign.
    const uint64_t seed = first->chain->seed();
    for (int choice = 1; choice < request.choices; ++choice) {
        INGLE_ASSIGN(auto lane, make_answer(request, choice, (seed + uint64_t(choice)) & 0xffffffff));
        job->forks.push_back(std::move(lane));
    }
    first->job = std::move(job);
    return first;
}

template <class Make>
std::shared_ptr<Stream> Scheduler::enqueue(const RequestInfo& info, Make&& make) {
    const auto events = std::make_shared<EventQueue>();
    Status status = within_memory([&]() -> Status {
        INGLE_ASSIGN(std::unique_ptr<Lane> lane, make());
        lane->job->info = info;
        lane->job->events = events;
        return accept(std::move(lane));
    });
    if (status.ok()) {
        work_.notify_one();
    } else {
        metrics_.count_end(Ending::rejected);
        events->push(Done{std::move(status)});
    }
    return make_stream(events);
}

Status Scheduler::accept(std::unique_ptr<Lane> lane) {
    const std::shared_ptr<Job> job = lane->job;  // outlives the lock, as its end may be told
    const std::lock_guard lock(mutex_);
    Status status;
    if (!fault_.ok()) status = fault_;
    else if (draining_ || stopping_)
        status = fail(Code::limit, "the engine is shutting down and takes no more requests");
    if (status.ok()) status = queue_.check(int64_t(lane->tokens.size()));
    job->told_end = !status.ok();  // by the caller
    if (!status.ok()) return status;
    lane->arrival = ++arrivals_;
    for (const auto& other : job->forks) other->arrival = ++arrivals_;
    queue_.add(std::move(lane));
    waiting_.store(queue_.size(), std::memory_order_relaxed);
    return {};
}

std::shared_ptr<Stream> Scheduler::submit(GenerationRequest request) {
    return enqueue(request.info, [&] { return make_lanes(request); });
}

std::shared_ptr<Stream> Scheduler::submit(EmbeddingRequest request) {
    return enqueue(request.info, [&]() -> Result<std::unique_ptr<Lane>> {
        INGLE_TRY(check_prompt(request.input));
        auto lane = std::make_unique<Lane>();
        lane->job = std::make_shared<Job>();
        lane->job->open = 1;
        lane->tokens = std::move(request.input);
        lane->prompt_tokens = int64_t(lane->tokens.size());
        const RankingHead* const head = model_->ranking_head();
        if (request.pooling == Pooling::rank && head == nullptr)
            return fail(Code::unsupported, "this model has no ranking head (a tensor 'cls.output.weight')");
        lane->pooler.emplace(request.pooling, request.normalize, runner_->hidden_columns(), head);
        return lane;
    });
}

// Where memory is short the request ends that it was short for. The rest, like news of places in the queue, is left out.
void Scheduler::turns() {
    while (wait_for_work()) {
        const Status all = within_memory([&] {
            turn();
            return Status();
        });
        if (all.ok()) continue;
        end_step(all);
        publish();
    }
}

Status Scheduler::fault() const {
    const std::lock_guard lock(mutex_);
    return fault_;
}

// An engine that throws all the same has lost its footing: what it was doing fails, and so does whatever comes; the
// process and the engines of other models go on.
void Scheduler::loop() {
    Status ended = fail(Code::cancelled, "the engine is shutting down");
    try {
        turns();
    } catch (const std::exception& error) {
        ended = fail(Code::internal, "the engine has stopped: ", error.what());
        const std::lock_guard lock(mutex_);
        fault_ = ended;
        stopping_ = true;
    }
    // What throws once may do so again; each of these comes closer to the end all the same.
    const auto surely = [](auto&& act) {
        try {
            act();
        } catch (const std::exception&) {
        }
    };
    surely([&] { run_errands(); });
    while (!slots_->busy().empty()) surely([&] { fail_slot(*slots_->busy().back(), ended); });
    while (true) {
        std::unique_ptr<Lane> lane;
        {
            const std::lock_guard lock(mutex_);
            if (queue_.empty()) return;
            lane = queue_.take_best();
        }
        surely([&] { end_lane(std::move(lane), ended); });
    }
}

void Scheduler::turn() {
    run_errands();
    sweep();
    admit();
    const bool answered = step_answers();
    const bool embedded = step_embeddings();
    // Everybody waits for pages: the last one gives its own.
    if (!answered && !embedded && slots_->busy().size() > 1) give_way(*slots_->busy().back());
    tell_places();
    publish();
}

bool Scheduler::wait_for_work() {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [this] {
        return stopping_ || !errands_.empty() || !queue_.empty() || !slots_->busy().empty();
    });
    return !stopping_;
}

void Scheduler::run_errands() {
    std::vector<std::function<void()>> errands;
    {
        const std::lock_guard lock(mutex_);
        errands.swap(errands_);
    }
    for (const auto& errand : errands) errand();
}

void Scheduler::sweep() {
    static const Status cancelled = fail(Code::cancelled, "cancelled");
    for (size_t i = slots_->busy().size(); i-- > 0;) {
        const Job& job = *slots_->busy()[i]->lane->job;
        if (!job.status.ok()) fail_slot(*slots_->busy()[i], job.status);
        else if (job.events->cancelled()) fail_slot(*slots_->busy()[i], cancelled);
    }
    const Clock::time_point now = Clock::now();
    const auto overdue = [&](const Lane& lane) {
        return !lane.begun && lane.choice == 0 && lane.job->info.deadline <= now;
    };
    while (true) {
        std::unique_ptr<Lane> gone;
        {
            const std::lock_guard lock(mutex_);
            gone = queue_.take_first([&](const Lane& lane) {
                return overdue(lane) || lane.job->events->cancelled() || !lane.job->status.ok();
            });
        }
        if (gone == nullptr) return;
        const Job& job = *gone->job;
        const Status status = !job.status.ok()          ? job.status
                              : job.events->cancelled() ? cancelled
                              : fail(Code::limit, "the request's deadline passed while it waited");
        end_lane(std::move(gone), status);
    }
}

void Scheduler::admit() {
    while (true) {
        std::unique_ptr<Lane> lane;
        {
            const std::lock_guard lock(mutex_);
            if (queue_.empty()) return;
            if (slots_->full() &&
                slots_->busy().back()->lane->job->info.priority >= queue_.best().job->info.priority)
                return;
            lane = queue_.take_best();
        }
        Slot* slot = nullptr;
        Status begun = within_memory([&] {
            slot = slots_->admit(lane);
            while (slot == nullptr && make_way(*lane)) slot = slots_->admit(lane);
            if (slot != nullptr) begin(*slot);
            return Status();
        });
        if (!begun.ok() && slot != nullptr) fail_slot(*slot, begun);
        else if (!begun.ok() && lane != nullptr) end_lane(std::move(lane), begun);
        else if (slot == nullptr) {
            const std::lock_guard lock(mutex_);
            queue_.add(std::move(lane));
            return;
        }
    }
}

bool Scheduler::make_way(const Lane& lane) {
    if (slots_->busy().empty()) return false;
    Slot& last = *slots_->busy().back();  // of the lowest priority, the youngest
    if (last.lane->job->info.priority >= lane.job->info.priority) return false;
    give_way(last);
    return true;
}

void Scheduler::end_lane(std::unique_ptr<Lane> lane, const Status& status) {
    const std::shared_ptr<Job> job = lane->job;
    const auto copy = [](const Status& from, Status& to) {
        const Status copied = within_memory([&] {
            to = from;
            return Status();
        });
        if (!copied.ok()) to = out_of_memory();
    };
    if (job->status.ok()) copy(status, job->status);
    job->open -= 1 + int(job->forks.size());
    job->forks.clear();
    lane = nullptr;
    if (job->open > 0) return;
    if (!job->status.ok())
        metrics_.count_end(job->status.code() == Code::cancelled ? Ending::cancelled
                                                                 : Ending::failed);
    {
        const std::lock_guard lock(mutex_);
        const auto same = [&](const Lane& other) {
            return other.job->info.client == job->info.client;
        };
        const bool more = queue_.any(same) || std::ranges::any_of(slots_->busy(), [&](const Slot* slot) {
            return same(*slot->lane);
        });
        if (!more) queue_.forget(job->info.client);
    }
    publish();  // who hears of the end sees that it has ended
    Done done;
    copy(job->status, done.status);
    job->told_end = true;
    job->events->push(std::move(done));
}

void Scheduler::tell_places() {
    std::vector<std::pair<std::shared_ptr<EventQueue>, PromptProgress>> news;
    {
        const std::lock_guard lock(mutex_);
        if (queue_.changes() == places_told_) return;
        places_told_ = queue_.changes();
        int64_t place = 0;
        for (const Lane* const lane : queue_.in_order()) {
            ++place;
            if (lane->begun || lane->choice > 0 || lane->job->place_told == place) continue;
            lane->job->place_told = place;
            news.push_back({lane->job->events, {lane->prompt_tokens, 0, 0, place}});
        }
    }
    for (const auto& [events, progress] : news) events->push(progress);
}

void Scheduler::publish() {
    {
        const std::lock_guard lock(mutex_);
        waiting_.store(queue_.size(), std::memory_order_relaxed);
    }
    running_.store(int64_t(slots_->busy().size()), std::memory_order_relaxed);
    const std::lock_guard lock(state_mutex_);
    held_.pages_used = slots_->pool().used();
    held_.pages_committed = slots_->pool().committed();
    held_.pages_max = slots_->pool().capacity();
    held_.windows_used = slots_->pool().windows_used();
    held_.windows_committed = slots_->pool().windows_committed();
    held_.windows_max = slots_->pool().windows_max();
    held_.prefix = slots_->tree().statistics();
    held_.scratch_bytes = runner_->activation_bytes() + runner_->scratch_bytes();
    for (size_t i = 0; i < state_.size(); ++i) {
        const Slot& slot = *slots_->all()[i];
        SlotState& state = state_[i];
        state.busy = slot.lane != nullptr;
        if (!state.busy) continue;
        const Status named = within_memory([&] {
            state.request_id = slot.lane->job->info.id;
            return Status();
        });
        if (!named.ok()) state.request_id.clear();
        state.prompt_tokens = slot.lane->prompt_tokens;
        state.prompt_done = std::min(slot.sequence.length(), slot.lane->prompt_tokens);
        state.generated = slot.lane->generated();
    }
}

}  // namespace ingle
