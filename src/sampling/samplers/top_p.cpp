// Top-p, nucleus sampling (Holtzman et al. 2019): the likeliest tokens whose probabilities together
// reach p.
#include <algorithm>

#include "sampling/exact_math.h"
#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

class TopP final : public SamplerOf<TopP> {
  public:
    TopP(double p, size_t keep_min) : p_(p), keep_min_(keep_min) {}

    void apply(Candidates& candidates) override {
        const float greatest = candidates.logit_max();
        if (greatest == impossible) return;
        // n tokens below (1 - p) / n are never needed to reach p: most of a vocabulary goes at
        // once.
        const double log_total = candidates.log_total();
        const double bar = exact_log((1 - p_) / double(candidates.size()));
        candidates.keep_from(float(log_total + bar), std::max<size_t>(keep_min_, 1));
        const double mass = p_ * exact_exp(log_total - candidates.log_total());

        const std::span<float> scores = candidates.scores();
        const std::span<const float> logits = candidates.logits();
        for (size_t i = 0; i < logits.size(); ++i) scores[i] = greatest - logits[i];
        candidates.keep_lowest(scores, mass, keep_min_);
    }

  private:
    double p_;
    size_t keep_min_;
};

std::vector<Option> options() {
    return {{.name = "top_p", .flags = "--top-p", .placeholder = "P", .default_value = 0.95,
             .help = "draw from the likeliest tokens whose probabilities add up to P (1 = off; "
                     "0 = the likeliest alone)",
             .min = 0, .max = 1}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const double p = setup.options.real("top_p");
    if (p >= 1) return std::unique_ptr<Sampler>();
    const auto keep_min = size_t(setup.options.integer("min_keep"));
    return std::unique_ptr<Sampler>(std::make_unique<TopP>(p, keep_min));
}

}  // namespace

namespace entries {
extern const SamplerKind top_p;
const SamplerKind top_p = {.name = "top_p", .aliases = "top-p,nucleus", .letter = 'p',
                           .role = Role::truncate, .position = 60, .off = "top_p = 1",
                           .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
