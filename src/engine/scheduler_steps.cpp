// What the engine does with slots, step by step: rows in, logits out, tokens drawn.
#include <algorithm>

#include "engine/scheduler.h"
#include "engine/shift.h"

namespace ingle {

namespace {

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void Scheduler::begin(Slot& slot) {
    Lane& lane = *slot.lane;
    if (!lane.begun) {
        lane.begun = true;
        lane.started = Clock::now();
        if (lane.choice == 0) {
            metrics_.record(Timing::queue, seconds_between(lane.job->info.arrival, lane.started),
                            lane.started);
            metrics_.count_cached(lane.cached);
        }
        const int64_t most = lane.tokens_max < 0 ? options_.context_tokens : lane.tokens_max;
        lane.tokens.reserve(size_t(
            std::min(options_.context_tokens, lane.prompt_tokens + most) + 1));
    }
    if (lane.embeds()) lane.pooler->reset();
    if (lane.chain && !lane.told_prompt)
        for (const Token token : lane.tokens) lane.chain->accept(token);
    lane.told_prompt = true;
    send_progress(slot);
}

void Scheduler::give_way(Slot& slot) {
    metrics_.count_preemption();
    std::unique_ptr<Lane> lane = slots_->vacate(slot, true);
    const std::lock_guard lock(mutex_);
    queue_.add(std::move(lane));
}

// There are pages: they were asked for. Memory for them is another thing.
bool Scheduler::add_rows(Slot& slot, int64_t count) {
    const bool last = count == slot.rest();
    Status grown = slot.sequence.grow(count);
    while (!grown.ok() && slots_->tree().evict(slot.sequence.pages_for(count)) > 0)
        grown = slot.sequence.grow(count);
    if (!grown.ok()) {
        fail_slot(slot, grown);
        return false;
    }
    rows_->add(slot, count, slot.lane->embeds() ? StepRows::Outputs::all
                            : last              ? StepRows::Outputs::last
                                                : StepRows::Outputs::none);
    return true;
}

// In order, so that who has to give way was not added yet.
void Scheduler::collect_decoding() {
    for (size_t i = 0; i < slots_->busy().size(); ++i) {
        Slot& slot = *slots_->busy()[i];
        if (slot.lane->embeds() || slot.rest() != 1) continue;
        bool here = true;
        while (here && !slots_->make_room(slot.sequence, 1)) {
            Slot* const victim = slots_->victim_of(slot);
            here = victim != nullptr;
            give_way(here ? *victim : slot);
        }
        if (!here || !add_rows(slot, 1)) --i;
    }
}

void Scheduler::collect_prompts() {
    const int64_t decoding = rows_->size();
    int64_t budget = std::min(rows_->room(), options_.chunk_tokens);
    if (decoding > 0) budget = std::min(budget, pace_.prompt_rows(budget));
    const int64_t page = slots_->page_tokens();
    for (size_t i = 0; i < slots_->busy().size() && budget > 0; ++i) {
        Slot& slot = *slots_->busy()[i];
        if (slot.lane->embeds() || slot.rest() <= 1) continue;
        slots_->extend(slot);
        int64_t count = std::min(slot.rest(), budget);
        // Chunks end with pages, so that the next can be found in the cache.
        const int64_t over = (slot.sequence.length() + count) % page;
        if (count < slot.rest() && count > over) count -= over;
        count = slots_->room(slot, count);
        if (count == 0) continue;
        if (add_rows(slot, count)) budget -= count;
        else --i;
    }
}

bool Scheduler::step_answers() {
    rows_->clear();
    taken_ = 0;
    collect_decoding();
    const int64_t decoding = rows_->size();
    collect_prompts();
    if (rows_->size() == 0) return false;
    const Clock::time_point start = Clock::now();
    bool timed = false;
    runner_->run(*rows_, false,
                 [&](const StepRows::Member& member, std::span<const float> logits,
                     const Status& status) {
                     if (!timed) took_time(start, decoding);
                     timed = true;
                     ++taken_;
                     took_step(member, logits, status);
                 });
    return true;
}

void Scheduler::took_time(Clock::time_point start, int64_t decoding) {
    const Clock::time_point now = Clock::now();
    const int64_t prompts = rows_->size() - decoding;
    pace_.learn(seconds_between(start, now), decoding, prompts);
    metrics_.record(Timing::step, seconds_between(start, now), now);
    metrics_.count_step(int64_t(rows_->members().size()), prompts, decoding, now);
}

bool Scheduler::step_embeddings() {
    rows_->clear();
    taken_ = 0;
    for (size_t i = 0; i < slots_->busy().size(); ++i) {
        Slot& slot = *slots_->busy()[i];
        if (!slot.lane->embeds()) continue;
        const int64_t count = slots_->room(slot, std::min(slot.rest(), rows_->room()));
        if (count > 0 && !add_rows(slot, count)) --i;
    }
    if (rows_->size() == 0) return false;
    runner_->run(*rows_, true,
                 [&](const StepRows::Member& member, std::span<const float> states,
                     const Status& status) {
                     ++taken_;
                     Slot& slot = *member.slot;
                     Status taken = status;
                     if (taken.ok())
                         taken = within_memory([&] {
                             take_states(slot, states);
                             return Status();
                         });
                     if (!taken.ok() && slot.lane != nullptr) fail_slot(slot, taken);
                 });
    return true;
}

void Scheduler::end_step(const Status& status) {
    for (; taken_ < rows_->members().size(); ++taken_) {
        Slot& slot = *rows_->members()[taken_].slot;
        if (slot.lane == nullptr) continue;
        slot.sequence.truncate(slot.sequence.length() - rows_->members()[taken_].rows.count);
        fail_slot(slot, status);
    }
}

void Scheduler::take_states(Slot& slot, std::span<const float> states) {
    slot.lane->pooler->add(states);
    if (slot.rest() > 0) return;
    Embedding embedding = slot.lane->pooler->finish();
    std::unique_ptr<Lane> lane = slots_->vacate(slot, false);
    lane->job->events->push(std::move(embedding));
    metrics_.count_end(Ending::embedded);
    end_lane(std::move(lane), {});
}

void Scheduler::took_step(const StepRows::Member& member, std::span<const float> logits,
                          const Status& status) {
    Slot& slot = *member.slot;
    if (!status.ok()) {
        // What was to be written may be anything.
        slot.sequence.truncate(slot.sequence.length() - member.rows.count);
        return fail_slot(slot, status);
    }
    const Status taken = within_memory([&] {
        take_logits(member, logits);
        return Status();
    });
    if (!taken.ok() && slot.lane != nullptr) fail_slot(slot, taken);
}

void Scheduler::take_logits(const StepRows::Member& member, std::span<const float> logits) {
    Slot& slot = *member.slot;
    {
        const std::lock_guard lock(mutex_);
        queue_.charge(slot.lane->job->info.client, member.rows.count);
    }
    slots_->share(slot);
    if (!slot.lane->read_prompt()) send_progress(slot);
    if (slot.rest() > 0) return;
    if (!slot.lane->read_prompt()) prompt_done(slot, logits);
    else draw(slot, logits);
}

void Scheduler::prompt_done(Slot& slot, std::span<const float> logits) {
    slot.lane->prompt_done = Clock::now();
    slots_->hold(slot);
    fork(slot, logits);
    if (slot.lane->tokens_max == 0) finish(slot, FinishReason::length);
    else draw(slot, logits);
}

// The other answers to the prompt begin here, as many as have room; the rest waits.
void Scheduler::fork(Slot& slot, std::span<const float> logits) {
    const Lane& lane = *slot.lane;
    std::vector<std::unique_ptr<Lane>> forks = std::move(lane.job->forks);
    lane.job->forks.clear();
    for (std::unique_ptr<Lane>& each : forks) {
        each->job = lane.job;
        Slot* const other = slots_->fork(slot, each);
        if (other == nullptr) {
            const std::lock_guard lock(mutex_);
            queue_.add(std::move(each));
            continue;
        }
        begin(*other);
        other->lane->started = lane.started;
        other->lane->prompt_done = lane.prompt_done;
        other->lane->cached = lane.cached;
        if (other->lane->tokens_max == 0) finish(*other, FinishReason::length);
        else draw(*other, logits);
    }
}

void Scheduler::draw(Slot& slot, std::span<const float> logits) {
    Lane& lane = *slot.lane;
    const uint64_t not_numbers = lane.chain->counters().nan_logits;
    if (lane.job->events->reasoning_ended()) lane.answer->end_reasoning();
    auto step = lane.answer->next(logits);
    if (lane.chain->counters().nan_logits > not_numbers)
        return fail_slot(slot, fail(Code::internal, "the model gave ",
                                    lane.chain->counters().nan_logits - not_numbers, " of ",
                                    logits.size(), " logits that are not numbers after token ",
                                    lane.tokens.size() - 1));
    if (!step.ok()) return fail_slot(slot, step.status());
    if (step->part()) {
        lane.tokens.push_back(step->token);
        time_token(lane, Clock::now());
        send_piece(lane, *step, logits);
    }
    if (step->end) finish(slot, *step->end);
    else if (int64_t(lane.tokens.size()) > options_.context_tokens && !shift(slot))
        finish(slot, FinishReason::context_full);
}

// Every token but the last is computed, and they fill whole pages.
bool Scheduler::shift(Slot& slot) {
    if (!options_.context_shift) return false;
    const int64_t page_tokens = slots_->page_tokens();
    ShiftOptions shift = options_.shift;
    if (shift.keep_tokens < 0) shift.keep_tokens = slot.lane->prompt_tokens;
    const auto pages =
        pages_to_drop(slot.sequence.length() / page_tokens, page_tokens, shift, {});
    if (pages.ok()) slots_->shift(slot, *pages);
    return pages.ok();
}

void Scheduler::time_token(Lane& lane, Clock::time_point now) {
    if (lane.last_token != Clock::time_point()) {
        metrics_.record(Timing::inter_token, seconds_between(lane.last_token, now), now);
    } else {
        metrics_.record(Timing::first_token, seconds_between(lane.job->info.arrival, now), now);
        metrics_.record(Timing::prompt, seconds_between(lane.started, now), now);
    }
    lane.last_token = now;
}

void Scheduler::send_piece(Lane& lane, Answer::Step& step, std::span<const float> logits) {
    TokenPiece piece;
    piece.choice = lane.choice;
    piece.token = step.token;
    piece.text = std::move(step.text);
    if (lane.job->logprobs >= 0) {
        const auto count = size_t(lane.job->logprobs);
        piece.logprob =
            lane.job->logprobs_after_sampling
                ? sampling::final_probabilities(lane.chain->last(), step.token, count, likely_)
                : sampling::model_probabilities(logits, step.token, count, likely_);
        for (const sampling::TokenProbability& each : likely_)
            piece.likely.push_back({each.id, each.log_probability});
    }
    lane.job->events->push(std::move(piece));
}

void Scheduler::send_progress(const Slot& slot) {
    const Lane& lane = *slot.lane;
    if (lane.choice > 0 || lane.embeds() || lane.read_prompt()) return;
    PromptProgress progress;
    progress.total = lane.prompt_tokens;
    progress.cached = lane.cached;
    progress.done = std::min(slot.sequence.length(), lane.prompt_tokens);
    lane.job->events->push(progress);
}

void Scheduler::finish(Slot& slot, FinishReason reason) {
    Lane& lane = *slot.lane;
    const Clock::time_point now = Clock::now();
    Finished finished;
    finished.choice = lane.choice;
    finished.reason = reason;
    finished.text = lane.answer->flush();
    finished.stop = lane.answer->stop();
    finished.timings.prompt_tokens = lane.prompt_tokens;
    finished.timings.cached_tokens = lane.cached;
    finished.timings.tokens = lane.generated();
    finished.timings.queue_seconds = seconds_between(lane.job->info.arrival, lane.started);
    finished.timings.prompt_seconds = seconds_between(lane.started, lane.prompt_done);
    finished.timings.generate_seconds = seconds_between(lane.prompt_done, now);
    metrics_.record(Timing::answer, finished.timings.generate_seconds, now);
    metrics_.record(Timing::whole, seconds_between(lane.job->info.arrival, now), now);
    metrics_.count_end(to_string(reason) == "stop" ? Ending::stop : Ending::length);
    lane.job->events->push(std::move(finished));
    end_lane(slots_->vacate(slot, true), {});
}

void Scheduler::fail_slot(Slot& slot, const Status& status) {
    end_lane(slots_->vacate(slot, status.code() == Code::cancelled), status);
}

}  // namespace ingle
