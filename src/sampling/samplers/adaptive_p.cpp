// Adaptive-p (MrJackSpade, ddh0 2025): favours tokens whose probability lies near a target, and
// moves the target so that the decayed average of the drawn tokens' own probabilities meets the one
// that was asked for.
//   aim = clamp(2 target - average, 0, 1)
//   d = |p_i - aim| / 0.3;   logit_i = 5 - 10 d^2 / (1 + d)
//   after a draw:  sum = p + decay * sum;  weight = 1 + decay * weight;  average = sum / weight
// The average starts as if the target had been met for ever. Always the last step.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

class AdaptiveP final : public SamplerOf<AdaptiveP> {
  public:
    AdaptiveP(double target, double decay) : target_(target), decay_(decay) { start(); }

    void apply(Candidates& candidates) override {
        const std::span<const float> p = candidates.probabilities();
        original_.assign(p.begin(), p.end());
        const double aim = std::clamp(2 * target_ - sum_ / weight_, 0.0, 1.0);
        const std::span<float> logits = candidates.edit_logits();
        for (size_t i = 0; i < logits.size(); ++i) {
            const double distance = std::abs(double(original_[i]) - aim) / 0.3;
            const double logit = 5 - 10 * distance * distance / (1 + distance);
            logits[i] = original_[i] > 0 ? float(logit) : impossible;
        }
    }

    void drawn(Candidates&, size_t index) override {
        sum_ = double(original_[index]) + decay_ * sum_;
        weight_ = 1 + decay_ * weight_;
    }

    void reset() override { start(); }

  private:
    void start() {
        weight_ = 1 / (1 - decay_);
        sum_ = target_ * weight_;
    }

    double target_;
    double decay_;
    double sum_ = 0;
    double weight_ = 0;
    std::vector<float> original_;  // probabilities before the change
};

std::vector<Option> options() {
    return {{.name = "adaptive_target", .flags = "--adaptive-target", .placeholder = "P",
             .default_value = -1.0,
             .help = "favour tokens of about this probability (below 0 = off)", .max = 1},
            {.name = "adaptive_decay", .flags = "--adaptive-decay", .placeholder = "D",
             .default_value = 0.9,
             .help = "memory of adaptive-p: about 1/(1-D) tokens", .min = 0, .max = 0.99}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const double target = setup.options.real("adaptive_target");
    if (target < 0) return std::unique_ptr<Sampler>();
    return std::unique_ptr<Sampler>(
        std::make_unique<AdaptiveP>(target, setup.options.real("adaptive_decay")));
}

}  // namespace

namespace entries {
extern const SamplerKind adaptive_p;
const SamplerKind adaptive_p = {.name = "adaptive_p", .aliases = "adaptive-p", .letter = 'a',
                                .role = Role::choose, .position = 0, .off = "adaptive_target < 0",
                                .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
