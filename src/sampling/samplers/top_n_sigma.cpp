// Top-n-sigma (Tang et al. 2024): logits within n standard deviations of the greatest stay.
//   logit_i >= logit_max - n * sigma(logits)
#include <cmath>

#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

class TopNSigma final : public SamplerOf<TopNSigma> {
  public:
    explicit TopNSigma(double n) : n_(n) {}

    void apply(Candidates& candidates) override {
        const double greatest = candidates.logit_max();
        double sum = 0, squares = 0;  // of distances from the greatest logit
        size_t count = 0;
        for (const float logit : candidates.logits()) {
            if (!(logit > impossible)) continue;
            const double distance = greatest - double(logit);
            sum += distance;
            squares += distance * distance;
            ++count;
        }
        if (count == 0) return;
        const double mean = sum / double(count);
        const double variance = squares / double(count) - mean * mean;
        const double sigma = variance > 0 ? std::sqrt(variance) : 0;
        candidates.keep_from(float(greatest - n_ * sigma), 1);
    }

  private:
    double n_;
};

std::vector<Option> options() {
    return {{.name = "top_n_sigma", .flags = "--top-n-sigma,--top-nsigma", .placeholder = "N",
             .default_value = -1.0,
             .help = "keep tokens whose logit is within N standard deviations of the greatest "
                     "(0 or less = off)"}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const double n = setup.options.real("top_n_sigma");
    if (n <= 0) return std::unique_ptr<Sampler>();
    return std::unique_ptr<Sampler>(std::make_unique<TopNSigma>(n));
}

}  // namespace

namespace entries {
extern const SamplerKind top_n_sigma;
const SamplerKind top_n_sigma = {.name = "top_n_sigma", .aliases = "top-n-sigma,top-nsigma",
                                 .letter = 's', .role = Role::truncate, .position = 30,
                                 .off = "top_n_sigma <= 0", .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
