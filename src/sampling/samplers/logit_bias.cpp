// logit_bias: adds a constant to the logits of given tokens; -inf forbids a token.
#include "sampling/logit_bias.h"

#include <algorithm>
#include <limits>

#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

class Bias final : public SamplerOf<Bias> {
  public:
    explicit Bias(std::vector<LogitBias> biases) : biases_(std::move(biases)) {}

    void apply(Candidates& candidates) override {
        constexpr double most = std::numeric_limits<float>::max();
        const std::span<float> logits = candidates.edit_logits();
        for (const LogitBias& entry : biases_) {
            const auto place = candidates.find(entry.token);
            if (!place || logits[*place] == impossible) continue;
            const double sum = double(logits[*place]) + entry.bias;
            logits[*place] = entry.bias < -most ? impossible : float(std::clamp(sum, -most, most));
        }
    }

  private:
    std::vector<LogitBias> biases_;
};

std::vector<Option> options() {
    return {{.name = "logit_bias", .flags = "-l,--logit-bias", .placeholder = "ID+B",
             .default_value = std::vector<std::string>(),
             .help = "add B to the logit of token ID: 15043+1, 15043-inf; may be repeated"}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    std::vector<LogitBias> biases;
    for (const std::string& text : setup.options.list("logit_bias")) {
        INGLE_ASSIGN(const LogitBias bias, parse_logit_bias(text));
        if (bias.token >= setup.vocabulary.size)
            return fail(Code::invalid_argument, "logit_bias: expected a token id from 0 to ",
                        setup.vocabulary.size - 1, ", found ", bias.token);
        biases.push_back(bias);
    }
    if (biases.empty()) return std::unique_ptr<Sampler>();
    return std::unique_ptr<Sampler>(std::make_unique<Bias>(std::move(biases)));
}

}  // namespace

namespace entries {
extern const SamplerKind logit_bias;
const SamplerKind logit_bias = {.name = "logit_bias", .aliases = "", .letter = 0,
                                .role = Role::bias, .position = 0, .off = "empty",
                                .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
