// ignore_eos: the tokens that end generation cannot be drawn.
#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

class IgnoreEos final : public SamplerOf<IgnoreEos> {
  public:
    explicit IgnoreEos(std::vector<Token> end_tokens) : end_tokens_(std::move(end_tokens)) {}

    void apply(Candidates& candidates) override {
        const std::span<float> logits = candidates.edit_logits();
        for (const Token token : end_tokens_)
            if (const auto place = candidates.find(token)) logits[*place] = impossible;
    }

  private:
    std::vector<Token> end_tokens_;
};

std::vector<Option> options() {
    return {{.name = "ignore_eos", .flags = "--ignore-eos", .placeholder = "",
             .default_value = false,
             .help = "never draw a token that ends the answer"}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    if (!setup.options.flag("ignore_eos")) return std::unique_ptr<Sampler>();
    return std::unique_ptr<Sampler>(std::make_unique<IgnoreEos>(setup.vocabulary.end_tokens));
}

}  // namespace

namespace entries {
extern const SamplerKind ignore_eos;
const SamplerKind ignore_eos = {.name = "ignore_eos", .aliases = "", .letter = 0,
                                .role = Role::bias, .position = 0, .off = "not given",
                                .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
