// Locally typical sampling (Meister et al. 2022): the tokens whose surprise -ln p_i is nearest to
// the entropy H of the distribution, until their probabilities together reach p.
#include <cmath>

#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

class TypicalP final : public SamplerOf<TypicalP> {
  public:
    TypicalP(double p, size_t keep_min) : p_(p), keep_min_(keep_min) {}

    void apply(Candidates& candidates) override {
        if (candidates.logit_max() == impossible) return;
        const double typical_logit = candidates.log_total() - candidates.entropy();
        const std::span<float> scores = candidates.scores();
        const std::span<const float> logits = candidates.logits();
        for (size_t i = 0; i < logits.size(); ++i)
            scores[i] = std::abs(float(typical_logit - double(logits[i])));
        candidates.keep_lowest(scores, p_, keep_min_);
    }

  private:
    double p_;
    size_t keep_min_;
};

std::vector<Option> options() {
    return {{.name = "typical_p", .flags = "--typical,--typical-p", .placeholder = "P",
             .default_value = 1.0,
             .help = "draw from the tokens of most typical surprise whose probabilities add up to "
                     "P (1 = off)",
             .min = 0, .max = 1}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const double p = setup.options.real("typical_p");
    if (p >= 1) return std::unique_ptr<Sampler>();
    const auto keep_min = size_t(setup.options.integer("min_keep"));
    return std::unique_ptr<Sampler>(std::make_unique<TypicalP>(p, keep_min));
}

}  // namespace

namespace entries {
extern const SamplerKind typ_p;
const SamplerKind typ_p = {.name = "typ_p", .aliases = "typ-p,typical,typical_p,typical-p",
                           .letter = 'y', .role = Role::truncate, .position = 50,
                           .off = "typical_p = 1", .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
