// Temperature: logit / T. At T <= 0, and at T so small that nothing else could be drawn, only the
// greatest logit stays (the lowest id of equals). With a range above 0 the temperature follows the
// entropy H of the candidates (dynamic temperature, kalomaze 2023):
//   T = low + (high - low) * (H / ln n)^exponent        low, high = T -+ range, low at least 0
#include <algorithm>
#include <cmath>

#include "sampling/exact_math.h"
#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

constexpr double greedy_below = 1e-5;

class Temperature final : public SamplerOf<Temperature> {
  public:
    Temperature(double temperature, double range, double exponent)
        : temperature_(temperature), range_(range), exponent_(exponent) {}

    void apply(Candidates& candidates) override {
        const double temperature = range_ > 0 ? dynamic(candidates) : temperature_;
        if (temperature <= greedy_below) return candidates.keep_top(1);
        const float divisor = float(temperature);
        if (std::isinf(candidates.logit_max() / divisor)) return candidates.keep_top(1);
        for (float& logit : candidates.edit_logits()) logit /= divisor;
    }

  private:
    double dynamic(Candidates& candidates) const {
        const size_t possible = candidates.possible();
        if (temperature_ <= 0 || possible < 2) return temperature_;
        const double low = std::max(0.0, temperature_ - range_);
        const double high = temperature_ + range_;
        const double evenness =
            std::clamp(candidates.entropy() / exact_log(double(possible)), 0.0, 1.0);
        return low + (high - low) * exact_power(evenness, exponent_);
    }

    double temperature_;
    double range_;
    double exponent_;
};

std::vector<Option> options() {
    return {{.name = "temperature", .flags = "--temp,--temperature", .placeholder = "T",
             .default_value = 0.8,
             .help = "above 1 more random, below 1 less (1 = off; 0 or less = always the likeliest "
                     "token)",
             .environment = "TEMP"},
            {.name = "dynatemp_range", .flags = "--dynatemp-range", .placeholder = "R",
             .default_value = 0.0,
             .help = "let the temperature vary from T-R to T+R with the entropy (0 = off)",
             .min = 0},
            {.name = "dynatemp_exponent", .flags = "--dynatemp-exp", .placeholder = "E",
             .default_value = 1.0, .help = "how the entropy maps to the dynamic temperature",
             .min = 0, .environment = "DYNATEMP_EXP"}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const double temperature = setup.options.real("temperature");
    const double range = setup.options.real("dynatemp_range");
    if (temperature == 1 && range <= 0) return std::unique_ptr<Sampler>();
    return std::unique_ptr<Sampler>(std::make_unique<Temperature>(
        temperature, range, setup.options.real("dynatemp_exponent")));
}

}  // namespace

namespace entries {
extern const SamplerKind temperature;
const SamplerKind temperature = {.name = "temperature", .aliases = "temp", .letter = 't',
                                 .role = Role::edit, .position = 90,
                                 .off = "temperature = 1 and dynatemp_range = 0",
                                 .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
