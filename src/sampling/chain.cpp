#include "sampling/chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "sampling/exact_math.h"
#include "sampling/options.h"

namespace ingle::sampling {

namespace {

constexpr size_t ordered_most = 1024;

Status check_finite(const OptionValues& options) {
    for (const Option& option : sampling_options()) {
        if (!std::holds_alternative<double>(option.default_value)) continue;
        const double value = options.real(option.name);
        if (!std::isfinite(value))
            return fail(Code::invalid_argument, option.name, ": expected a finite number, found ",
                        value);
    }
    return {};
}

struct Extent {
    int32_t least;
    int32_t greatest;
};

// Order keys of the extremes: NaN shows as a key beyond an infinity.
Extent extent_of(std::span<const float> logits) {
    Extent extent{INT32_MAX, INT32_MIN};
    for (const float logit : logits) {
        const int32_t key = order_key(logit);
        extent.least = std::min(extent.least, key);
        extent.greatest = std::max(extent.greatest, key);
    }
    return extent;
}

// Seeds are 32 bits wide as a rule; what lies beyond is folded in.
MersenneTwister generator_of(uint64_t seed) { return MersenneTwister(uint32_t(seed ^ seed >> 32)); }

void apply_mask(Candidates& candidates, std::span<const uint64_t> allowed) {
    const std::span<float> logits = candidates.edit_logits();
    for (size_t i = 0; i < logits.size(); ++i) {
        const size_t word = i / 64;
        const bool may = word < allowed.size() && (allowed[word] >> (i % 64) & 1) != 0;
        if (!may) logits[i] = impossible;
    }
}

}  // namespace

Result<Chain> Chain::make(const OptionValues& options, VocabularyInfo vocabulary,
                          int64_t context_tokens) {
    INGLE_TRY(check_finite(options));
    if (vocabulary.size <= 0)
        return fail(Code::invalid_argument,
                    "sampling: expected at least one token in the vocabulary");
    INGLE_ASSIGN(const std::vector<const SamplerKind*> order, sampler_order(options));

    Chain chain;
    chain.seed_ = choose_seed(options);
    chain.random_ = generator_of(chain.seed_);
    chain.vocabulary_ = std::move(vocabulary);
    uint64_t seeds = ~chain.seed_;
    const auto add = [&](const SamplerKind* kind) -> Status {
        const Setup setup{options, chain.vocabulary_, std::max<int64_t>(context_tokens, 0),
                          splitmix64(seeds)};
        INGLE_ASSIGN(std::unique_ptr<Sampler> sampler, kind->make(setup));
        if (sampler != nullptr) chain.steps_.push_back({kind, std::move(sampler)});
        return {};
    };
    for (const SamplerKind* kind : sampler_kinds())
        if (kind->role == Role::bias) INGLE_TRY(add(kind));
    for (const SamplerKind* kind : order)
        if (kind->role != Role::choose) INGLE_TRY(add(kind));
    const size_t ordered = chain.steps_.size();
    for (const SamplerKind* kind : sampler_kinds())
        if (kind->role == Role::choose) INGLE_TRY(add(kind));
    if (chain.steps_.size() > ordered + 1)
        return fail(Code::invalid_argument, "sampling: ", chain.steps_[ordered].kind->name, " and ",
                    chain.steps_[ordered + 1].kind->name,
                    " both choose the token; give one of them");
    if (chain.steps_.size() > ordered && chain.steps_.back().kind->replaces_truncation)
        std::erase_if(chain.steps_,
                      [](const Step& step) { return step.kind->role == Role::truncate; });
    return chain;
}

// Applies the mask and makes every logit finite or -inf.
Status Chain::settle(TokenMask* mask) {
    bool masked = false;
    if (mask != nullptr) {
        const std::span<const uint64_t> allowed = mask->allowed();
        masked = !allowed.empty();
        if (masked) apply_mask(candidates_, allowed);
    }
    const Extent extent = extent_of(candidates_.logits());
    const int32_t lowest = order_key(impossible), highest = order_key(-impossible);
    bool possible = extent.greatest > lowest;
    if (extent.least < lowest || extent.greatest >= highest) {
        const std::span<float> logits = candidates_.edit_logits();
        size_t infinite = 0;
        for (float& logit : logits) {
            infinite += logit == -impossible;
            if (!std::isnan(logit)) continue;
            logit = impossible;
            ++counters_.nan_logits;
        }
        counters_.infinite_logits += infinite;
        for (float& logit : logits)
            if (infinite > 0) logit = logit == -impossible ? 0.0f : impossible;
        possible = candidates_.logit_max() > impossible;
    }
    if (possible) return {};
    if (masked)
        return fail(Code::invalid_argument,
                    "sampling: the grammar allows no token that is possible");
    return fail(Code::internal, "sampling: all ", candidates_.size(),
                " logits are -inf or NaN; the model's output is unusable");
}

// Picks the first entry at which the running sum passes u of the whole, from the likeliest on if the samplers have left
// few enough to be put in order, else by id.
Result<size_t> Chain::draw() {
    const std::span<const float> p = candidates_.probabilities();
    const double total = candidates_.probability_sum();
    if (!(total > 0))
        return fail(Code::invalid_argument,
                    "sampling: logit_bias or ignore_eos leave no token that can be drawn");
    const double goal = random_.uniform() * total;
    const bool ordered = p.size() <= ordered_most;
    if (ordered) {
        order_.resize(p.size());
        std::iota(order_.begin(), order_.end(), 0u);
        std::ranges::sort(order_, {}, [&](uint32_t i) { return std::pair(-p[i], i); });
    }
    double sum = 0;
    size_t last = 0;
    for (size_t place = 0; place < p.size(); ++place) {
        const size_t i = ordered ? order_[place] : place;
        if (!(p[i] > 0)) continue;
        last = i;
        sum += double(p[i]);
        if (sum > goal) break;
    }
    return last;
}

Result<Token> Chain::sample(std::span<const float> logits, TokenMask* mask) {
    if (logits.size() != size_t(vocabulary_.size))
        return fail(Code::invalid_argument, "sampling: expected ", vocabulary_.size,
                    " logits, found ", logits.size());
    candidates_.assign(logits);
    if (Status settled = settle(mask); !settled.ok()) {
        ++counters_.failed_draws;
        return settled;
    }
    for (const Step& step : steps_) step.sampler->apply(candidates_);
    Result<size_t> drawn = draw();
    if (!drawn.ok()) {
        ++counters_.failed_draws;
        return std::move(drawn).status();
    }
    for (const Step& step : steps_) step.sampler->drawn(candidates_, *drawn);
    return candidates_.id(*drawn);
}

void Chain::accept(Token token) {
    if (token < 0 || token >= vocabulary_.size) return;
    for (const Step& step : steps_) step.sampler->accept(token);
}

void Chain::reset() {
    random_ = generator_of(seed_);
    for (const Step& step : steps_) step.sampler->reset();
}

Chain Chain::clone() const {
    Chain copy;
    for (const Step& step : steps_) copy.steps_.push_back({step.kind, step.sampler->clone()});
    copy.vocabulary_ = vocabulary_;
    copy.random_ = random_;
    copy.seed_ = seed_;
    copy.counters_ = counters_;
    return copy;
}

std::string Chain::describe() const {
    std::string text;
    for (const Step& step : steps_) text += cat(text.empty() ? "" : " -> ", step.kind->name);
    return text + (text.empty() ? "draw" : " -> draw");
}

}  // namespace ingle::sampling
