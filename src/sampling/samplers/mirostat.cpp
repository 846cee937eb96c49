// Mirostat (Basu et al. 2021, arXiv:2007.14966): keeps the surprise of the drawn tokens, -log2 p,
// near tau by cutting the distribution at a level mu, which starts at 2 tau and follows every draw:
//   mu -= eta * (surprise - tau)
// Version 1 estimates a Zipf exponent s from the 100 likeliest tokens and keeps k tokens,
//   s = sum t_i b_i / sum t_i^2,  t_i = ln((i+2)/(i+1)),  b_i = ln(p_i / p_i+1)
//   k = (e 2^mu / (1 - N^-e))^(1/s),  e = s - 1,  N = size of the vocabulary
// Version 2 keeps the tokens whose surprise is at most mu.
#include <algorithm>
#include <array>
#include <cmath>

#include "sampling/exact_math.h"
#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

constexpr double ln2 = 0.69314718055994531;

class Mirostat final : public SamplerOf<Mirostat> {
  public:
    Mirostat(int64_t version, double tau, double eta, int32_t vocabulary)
        : version_(version), tau_(tau), eta_(eta), vocabulary_(vocabulary), mu_(2 * tau) {}

    void apply(Candidates& candidates) override {
        if (candidates.logit_max() == impossible) return;
        if (version_ == 1) return candidates.keep_top(zipf_count(candidates.logits()));
        candidates.keep_from(float(candidates.log_total() - mu_ * ln2), 1);
    }

    void drawn(Candidates& candidates, size_t index) override {
        const double logit = candidates.logits()[index];
        const double surprise = (candidates.log_total() - logit) / ln2;
        mu_ -= eta_ * (surprise - tau_);
    }

    void reset() override { mu_ = 2 * tau_; }

  private:
    size_t zipf_count(std::span<const float> logits) const {
        std::array<float, 100> top;
        const auto end = std::partial_sort_copy(logits.begin(), logits.end(), top.begin(),
                                                top.end(), std::greater<>());
        double products = 0, squares = 0;
        for (auto next = top.begin() + 1; next < end && *next > impossible; ++next) {
            const double i = double(next - top.begin() - 1);
            const double t = exact_log((i + 2) / (i + 1));
            products += t * (double(next[-1]) - double(*next));
            squares += t * t;
        }
        const double s = squares > 0 ? products / squares : 1;
        if (!(s > 0)) return logits.size();  // all equally likely
        const double e = s - 1;
        const double log_vocabulary = exact_log(double(vocabulary_));
        const double ratio =
            std::abs(e) < 1e-6 ? 1 / log_vocabulary : e / (1 - exact_exp(-e * log_vocabulary));
        const double log_k = (exact_log(ratio) + mu_ * ln2) / s;
        if (!(log_k > 0)) return 1;
        const double k = exact_exp(log_k);
        return k < double(logits.size()) ? size_t(k) : logits.size();
    }

    int64_t version_;
    double tau_;
    double eta_;
    int32_t vocabulary_;
    double mu_;
};

std::vector<Option> options() {
    return {{.name = "mirostat", .flags = "--mirostat", .placeholder = "N",
             .default_value = int64_t(0),
             .help = "Mirostat 1 or 2 in place of every sampler that removes tokens (0 = off)",
             .min = 0, .max = 2},
            {.name = "mirostat_tau", .flags = "--mirostat-ent", .placeholder = "TAU",
             .default_value = 5.0, .help = "Mirostat's target surprise, in bits a token", .min = 0,
             .environment = "MIROSTAT_ENT"},
            {.name = "mirostat_eta", .flags = "--mirostat-lr", .placeholder = "ETA",
             .default_value = 0.1, .help = "Mirostat's learning rate", .min = 0,
             .environment = "MIROSTAT_LR"}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const int64_t version = setup.options.integer("mirostat");
    if (version == 0) return std::unique_ptr<Sampler>();
    return std::unique_ptr<Sampler>(std::make_unique<Mirostat>(
        version, setup.options.real("mirostat_tau"), setup.options.real("mirostat_eta"),
        setup.vocabulary.size));
}

}  // namespace

namespace entries {
extern const SamplerKind mirostat;
const SamplerKind mirostat = {.name = "mirostat", .aliases = "", .letter = 0, .role = Role::choose,
                              .position = 0, .off = "mirostat = 0", .options = options,
                              .make = make, .replaces_truncation = true};
}  // namespace entries

}  // namespace ingle::sampling
