// Infill, for filling in the middle after top-k and top-p (llama.cpp's documented rule, pull
// request 9896):
//   1. if n * (sum of p of the end tokens) > (sum of p of the others): only end tokens stay;
//      n = number of candidates
//   2. if the text of one token begins with that of another, the likelier takes the p of both
//   3. others below 0.2, then, normalized, below 1 / (others left + 1), go
//   4. if no other is left, only the usual end token stays
// Looks at the 256 likeliest candidates: step 2 compares pairs.
#include <algorithm>

#include "sampling/exact_math.h"
#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

constexpr size_t candidates_max = 256;

class Infill final : public SamplerOf<Infill> {
  public:
    Infill(std::vector<Token> end_tokens, std::function<void(Token, std::string&)> append_text)
        : end_tokens_(std::move(end_tokens)), append_text_(std::move(append_text)),
          texts_(candidates_max) {}

    void apply(Candidates& candidates) override {
        if (candidates.logit_max() == impossible) return;
        candidates.keep_top(candidates_max);
        const std::span<const float> p = candidates.probabilities();
        p_.assign(p.begin(), p.end());
        const auto ends = [&](size_t i) { return is_end(candidates.id(i)); };
        double end_mass = 0, text_mass = 0;
        for (size_t i = 0; i < p_.size(); ++i) (ends(i) ? end_mass : text_mass) += p_[i];
        if (end_mass * double(p_.size()) > text_mass) return candidates.keep_if(ends);

        merge_prefixes(candidates);
        if (drop_below(candidates, 0.2) == 0) return keep_end(candidates);
        double total = 0;
        size_t others = 0;
        for (size_t i = 0; i < p_.size(); ++i) total += p_[i], others += p_[i] > 0 && !ends(i);
        drop_below(candidates, total / double(others + 1));

        const std::span<float> logits = candidates.edit_logits();
        for (size_t i = 0; i < p_.size(); ++i)
            logits[i] = p_[i] > 0 ? float(exact_log(p_[i])) : impossible;
        candidates.keep_if([](size_t) { return true; });
    }

  private:
    bool is_end(Token token) const {
        return std::ranges::find(end_tokens_, token) != end_tokens_.end();
    }

    void merge_prefixes(const Candidates& candidates) {
        const size_t count = p_.size();
        for (size_t i = 0; i < count; ++i) {
            texts_[i].clear();
            append_text_(candidates.id(i), texts_[i]);
        }
        for (size_t i = 0; i < count; ++i) {
            for (size_t j = i + 1; j < count && p_[i] > 0; ++j) {
                if (p_[j] <= 0 || is_end(candidates.id(i)) || is_end(candidates.id(j))) continue;
                const std::string_view a = texts_[i], b = texts_[j];
                if (!a.starts_with(b) && !b.starts_with(a)) continue;
                const bool first = p_[i] >= p_[j];
                p_[first ? i : j] += p_[first ? j : i];
                p_[first ? j : i] = 0;
            }
        }
    }

    // Drops tokens below the bar that do not end; returns how many of those are left.
    size_t drop_below(const Candidates& candidates, double bar) {
        size_t left = 0;
        for (size_t i = 0; i < p_.size(); ++i) {
            if (is_end(candidates.id(i))) continue;
            if (p_[i] < bar) p_[i] = 0;
            left += p_[i] > 0;
        }
        return left;
    }

    void keep_end(Candidates& candidates) const {
        const auto end = end_tokens_.empty() ? std::nullopt : candidates.find(end_tokens_.front());
        if (!end) return candidates.keep_top(1);
        candidates.keep_if([&](size_t i) { return i == *end; });
    }

    std::vector<Token> end_tokens_;
    std::function<void(Token, std::string&)> append_text_;
    std::vector<std::string> texts_;
    std::vector<double> p_;
};

std::vector<Option> options() { return {}; }

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    if (!setup.vocabulary.append_text)
        return fail(Code::unsupported,
                    "infill: needs the text of the tokens, which this model lacks");
    return std::unique_ptr<Sampler>(
        std::make_unique<Infill>(setup.vocabulary.end_tokens, setup.vocabulary.append_text));
}

}  // namespace

namespace entries {
extern const SamplerKind infill;
const SamplerKind infill = {.name = "infill", .aliases = "", .letter = 'i', .role = Role::truncate,
                            .position = 0, .off = "not in the order", .options = options,
                            .make = make};
}  // namespace entries

}  // namespace ingle::sampling
