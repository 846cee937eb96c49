// XTC, exclude top choices (p-e-w 2024): with probability `probability`, of the tokens at least
// `threshold` likely only the least likely stays, if there are two or more.
#include <algorithm>

#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

class Xtc final : public SamplerOf<Xtc> {
  public:
    Xtc(double probability, double threshold, size_t keep_min, uint64_t seed)
        : probability_(probability), threshold_(float(threshold)), keep_min_(keep_min), seed_(seed),
          random_(seed) {}

    void apply(Candidates& candidates) override {
        // Drawn for every token, so that the stream does not depend on the logits.
        if (random_.uniform() >= probability_) return;
        const std::span<const float> p = candidates.probabilities();
        size_t above = 0, least = 0;
        for (size_t i = 0; i < p.size(); ++i) {
            if (!(p[i] > 0) || p[i] < threshold_) continue;
            if (above == 0 || p[i] <= p[least]) least = i;
            ++above;
        }
        if (above < 2 || candidates.possible() - (above - 1) < keep_min_) return;
        candidates.keep_if([&, threshold = threshold_](size_t i) {
            return !(p[i] > 0) || p[i] < threshold || i == least;
        });
    }

    void reset() override { random_ = Random(seed_); }

  private:
    double probability_;
    float threshold_;
    size_t keep_min_;
    uint64_t seed_;
    Random random_;
};

std::vector<Option> options() {
    return {{.name = "xtc_probability", .flags = "--xtc-probability", .placeholder = "P",
             .default_value = 0.0,
             .help = "chance that the likeliest tokens are left out of a draw (0 = off)",
             .min = 0, .max = 1},
            {.name = "xtc_threshold", .flags = "--xtc-threshold", .placeholder = "P",
             .default_value = 0.1,
             .help = "tokens at least this likely are left out, but for the least likely of them "
                     "(above 0.5 = off)",
             .min = 0, .max = 1}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const double probability = setup.options.real("xtc_probability");
    const double threshold = setup.options.real("xtc_threshold");
    if (probability <= 0 || threshold > 0.5) return std::unique_ptr<Sampler>();
    const auto keep_min = size_t(setup.options.integer("min_keep"));
    return std::unique_ptr<Sampler>(
        std::make_unique<Xtc>(probability, threshold, keep_min, setup.seed));
}

}  // namespace

namespace entries {
extern const SamplerKind xtc;
const SamplerKind xtc = {.name = "xtc", .aliases = "", .letter = 'x', .role = Role::truncate,
                         .position = 80, .off = "xtc_probability = 0 or xtc_threshold > 0.5",
                         .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
