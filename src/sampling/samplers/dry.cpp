// DRY, don't repeat yourself (p-e-w 2024): a token that would prolong a repetition of the text's
// end loses
//   multiplier * base^(length - allowed_length)   length = tokens already repeated
// Repetitions do not reach across a sequence breaker, and a token that holds a breaker is never
// penalized. The lengths come from one run of the Z algorithm over the reversed window: linear in
// its length.
#include <algorithm>
#include <limits>
#include <utility>

#include "sampling/breakers.h"
#include "sampling/exact_math.h"
#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

struct Strengths {
    double multiplier;
    double base;
    size_t allowed_length;
};

class Dry final : public SamplerOf<Dry> {
  public:
    // `window` 0: everything since the start.
    Dry(Strengths strengths, size_t window, BreakerFinder finder,
        std::function<void(Token, std::string&)> append_text)
        : strengths_(strengths), window_(window), finder_(std::move(finder)),
          append_text_(std::move(append_text)) {}

    void accept(Token token) override {
        text_.clear();
        append_text_(token, text_);
        if (window_ > 0 && tokens_.size() >= 2 * window_) {
            const auto keep = std::ptrdiff_t(window_ - 1);
            tokens_.erase(tokens_.begin(), tokens_.end() - keep);
            breaks_.erase(breaks_.begin(), breaks_.end() - keep);
        }
        tokens_.push_back(token);
        breaks_.push_back(finder_.feed(text_));
    }

    void apply(Candidates& candidates) override {
        find_repetitions();
        if (repetitions_.empty()) return;
        const std::span<float> logits = candidates.edit_logits();
        Token previous = -1;
        for (const Repetition& repetition : repetitions_) {
            if (std::exchange(previous, repetition.next) == repetition.next) continue;  // shorter
            const auto place = candidates.find(repetition.next);
            if (!place || logits[*place] == impossible) continue;
            text_.clear();
            append_text_(repetition.next, text_);
            if (finder_.contains(text_)) continue;
            logits[*place] = penalized(logits[*place], repetition.length);
        }
    }

    void reset() override {
        tokens_.clear();
        breaks_.clear();
        finder_.reset();
    }

  private:
    struct Repetition {
        Token next;
        size_t length;
    };

    float penalized(float logit, size_t length) const {
        constexpr double most = std::numeric_limits<float>::max();
        const double exponent = double(length - strengths_.allowed_length);
        const double penalty =
            strengths_.multiplier * std::min(exact_power(strengths_.base, exponent), most);
        return float(std::max(double(logit) - penalty, -most));
    }

    // Fills repetitions_, sorted by token, the longest of a token first.
    void find_repetitions() {
        repetitions_.clear();
        const size_t count = window_ > 0 ? std::min(window_, tokens_.size()) : tokens_.size();
        const auto back = [&](size_t i) { return tokens_[tokens_.size() - 1 - i]; };
        size_t limit = 0;  // tokens after the last breaker
        while (limit < count && !breaks_[breaks_.size() - 1 - limit]) ++limit;
        const size_t least = std::max<size_t>(strengths_.allowed_length, 1);
        if (limit < least || count < 2) return;

        // lengths_[i]: how many tokens before and at i equal the end, going backwards.
        lengths_.assign(count, 0);
        size_t left = 0, right = 0;  // [left, right) matched furthest
        for (size_t i = 1; i < count; ++i) {
            size_t length = i < right ? std::min(lengths_[i - left], right - i) : 0;
            while (i + length < count && back(length) == back(i + length)) ++length;
            if (i + length > right) left = i, right = i + length;
            lengths_[i] = length;
            const size_t usable = std::min(length, limit);
            if (usable >= least) repetitions_.push_back({back(i - 1), usable});
        }
        std::ranges::sort(repetitions_, [](const Repetition& a, const Repetition& b) {
            return a.next != b.next ? a.next < b.next : a.length > b.length;
        });
    }

    Strengths strengths_;
    size_t window_;
    BreakerFinder finder_;
    std::function<void(Token, std::string&)> append_text_;
    std::vector<Token> tokens_;    // at least the window, at most twice as much
    std::vector<uint8_t> breaks_;  // a breaker ends in this token
    std::vector<size_t> lengths_;
    std::vector<Repetition> repetitions_;
    std::string text_;
};

std::vector<Option> options() {
    return {{.name = "dry_multiplier", .flags = "--dry-multiplier", .placeholder = "M",
             .default_value = 0.0, .help = "strength of the DRY repetition penalty (0 = off)",
             .min = 0},
            {.name = "dry_base", .flags = "--dry-base", .placeholder = "B", .default_value = 1.75,
             .help = "growth of the DRY penalty with each repeated token (below 1 = off)",
             .min = 0},
            {.name = "dry_allowed_length", .flags = "--dry-allowed-length", .placeholder = "N",
             .default_value = int64_t(2),
             .help = "repetitions of fewer tokens than this are not penalized", .min = 0},
            {.name = "dry_penalty_last_n", .flags = "--dry-penalty-last-n", .placeholder = "N",
             .default_value = int64_t(64),
             .help = "DRY looks at the last N tokens (0 = off, -1 = the whole context)", .min = -1},
            {.name = "dry_sequence_breakers", .flags = "--dry-sequence-breaker",
             .placeholder = "TEXT",
             .default_value = std::vector<std::string>{"\n", ":", "\"", "*"},
             .help = "repetitions end at this text; may be repeated, replaces the default list "
                     "(\"none\" = no breakers)",
             .environment = "DRY_SEQUENCE_BREAKER"}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const OptionValues& values = setup.options;
    const std::vector<std::string>& breakers = values.list("dry_sequence_breakers");
    INGLE_TRY(check_breakers(breakers));
    const Strengths strengths{values.real("dry_multiplier"), values.real("dry_base"),
                              size_t(values.integer("dry_allowed_length"))};
    const int64_t last = values.integer("dry_penalty_last_n");
    if (strengths.multiplier <= 0 || strengths.base < 1 || last == 0)
        return std::unique_ptr<Sampler>();
    if (!setup.vocabulary.append_text)
        return fail(Code::unsupported, "dry: needs the text of the tokens, which this model lacks");
    int64_t window = last < 0 ? setup.context_tokens : last;
    constexpr int64_t unbounded = 1 << 26;
    if (window > unbounded) window = 0;
    return std::unique_ptr<Sampler>(std::make_unique<Dry>(
        strengths, size_t(window), BreakerFinder(breakers), setup.vocabulary.append_text));
}

}  // namespace

namespace entries {
extern const SamplerKind dry;
const SamplerKind dry = {.name = "dry", .aliases = "", .letter = 'd', .role = Role::edit,
                         .position = 20,
                         .off = "dry_multiplier = 0, dry_base < 1 or dry_penalty_last_n = 0",
                         .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
