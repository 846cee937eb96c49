// Min-p (Nguyen et al. 2024): tokens at least p times as likely as the likeliest stay.
//   p_i >= p * p_max   <=>   logit_i >= logit_max + ln p        no softmax needed
#include <algorithm>

#include "sampling/exact_math.h"
#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

class MinP final : public SamplerOf<MinP> {
  public:
    MinP(double p, size_t keep_min) : log_p_(exact_log(p)), keep_min_(keep_min) {}

    void apply(Candidates& candidates) override {
        const float bar = float(double(candidates.logit_max()) + log_p_);
        candidates.keep_from(bar, std::max<size_t>(keep_min_, 1));
    }

  private:
    double log_p_;
    size_t keep_min_;
};

std::vector<Option> options() {
    return {{.name = "min_p", .flags = "--min-p", .placeholder = "P", .default_value = 0.05,
             .help = "drop tokens less than P times as likely as the likeliest (0 = off; 1 = only "
                     "the likeliest)",
             .min = 0, .max = 1}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const double p = setup.options.real("min_p");
    if (p <= 0) return std::unique_ptr<Sampler>();
    const auto keep_min = size_t(setup.options.integer("min_keep"));
    return std::unique_ptr<Sampler>(std::make_unique<MinP>(p, keep_min));
}

}  // namespace

namespace entries {
extern const SamplerKind min_p;
const SamplerKind min_p = {.name = "min_p", .aliases = "min-p", .letter = 'm',
                           .role = Role::truncate, .position = 70, .off = "min_p = 0",
                           .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
