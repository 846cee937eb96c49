// Penalties on the tokens among the last `repeat_last_n`, prompt included; n = occurrences of the
// token in them:
//   repeat (Keskar et al. 2019):  logit > 0 ? logit / r : logit * r
//   presence and frequency (OpenAI):  logit -= presence + n * frequency
#include <algorithm>
#include <limits>
#include <utility>

#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

struct Strengths {
    double repeat;
    double presence;
    double frequency;
};

class Penalties final : public SamplerOf<Penalties> {
  public:
    // `window` 0: everything since the start. Counts take 4 bytes a token of the vocabulary.
    Penalties(Strengths strengths, size_t window, int32_t vocabulary)
        : strengths_(strengths), window_(window), counts_(size_t(vocabulary)) {
        constexpr size_t most = 4096;  // a request may ask for millions
        ring_.reserve(std::min(window, most));
        seen_.reserve(std::min(window > 0 ? window + 1 : size_t(vocabulary), most));
    }

    void accept(Token token) override {
        if (window_ > 0) {
            if (ring_.size() < window_) {
                ring_.push_back(token);
            } else {
                counts_[size_t(std::exchange(ring_[oldest_], token))] -= one;
                oldest_ = (oldest_ + 1) % window_;
            }
        }
        uint32_t& count = counts_[size_t(token)];
        if ((count & listed) == 0) seen_.push_back(token);
        count = (count + one) | listed;
    }

    void apply(Candidates& candidates) override {
        std::erase_if(seen_, [this](Token token) {
            uint32_t& count = counts_[size_t(token)];
            if (count / one > 0) return false;
            count = 0;
            return true;
        });
        if (seen_.empty()) return;
        const std::span<float> logits = candidates.edit_logits();
        for (const Token token : seen_) {
            const auto place = candidates.find(token);
            if (!place || logits[*place] == impossible) continue;
            logits[*place] = penalized(logits[*place], counts_[size_t(token)] / one);
        }
    }

    void reset() override {
        std::ranges::fill(counts_, 0u);
        seen_.clear();
        ring_.clear();
        oldest_ = 0;
    }

  private:
    float penalized(float logit, uint32_t count) const {
        constexpr double most = std::numeric_limits<float>::max();
        double value = logit;
        value = value > 0 ? value / strengths_.repeat : value * strengths_.repeat;
        value -= strengths_.presence + double(count) * strengths_.frequency;
        return float(std::clamp(value, -most, most));
    }

    // A count has bit 0 set while its token is in seen_, the occurrences above it.
    static constexpr uint32_t listed = 1;
    static constexpr uint32_t one = 2;

    Strengths strengths_;
    size_t window_;
    std::vector<uint32_t> counts_;  // by token
    std::vector<Token> seen_;       // tokens in the window, perhaps some that left it
    std::vector<Token> ring_;
    size_t oldest_ = 0;
};

std::vector<Option> options() {
    return {{.name = "repeat_last_n", .flags = "--repeat-last-n", .placeholder = "N",
             .default_value = int64_t(64),
             .help = "the penalties look at the last N tokens (0 = off, -1 = the whole context)",
             .min = -1},
            {.name = "repeat_penalty", .flags = "--repeat-penalty", .placeholder = "R",
             .default_value = 1.0,
             .help = "repeated tokens: divide positive, multiply negative logits by R (1 = off)",
             .min = 1e-6, .max = 1e6},
            {.name = "presence_penalty", .flags = "--presence-penalty", .placeholder = "A",
             .default_value = 0.0,
             .help = "subtract A from the logit of every repeated token (0 = off)",
             .min = -1e6, .max = 1e6},
            {.name = "frequency_penalty", .flags = "--frequency-penalty", .placeholder = "A",
             .default_value = 0.0,
             .help = "subtract A for each earlier occurrence of the token (0 = off)",
             .min = -1e6, .max = 1e6}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const OptionValues& values = setup.options;
    const int64_t last = values.integer("repeat_last_n");
    const Strengths strengths{values.real("repeat_penalty"), values.real("presence_penalty"),
                              values.real("frequency_penalty")};
    const bool neutral =
        strengths.repeat == 1 && strengths.presence == 0 && strengths.frequency == 0;
    if (last == 0 || neutral) return std::unique_ptr<Sampler>();
    int64_t window = last < 0 ? setup.context_tokens : last;
    if (setup.context_tokens > 0) window = std::min(window, setup.context_tokens);
    constexpr int64_t unbounded = 1 << 26;
    if (window > unbounded) window = 0;
    return std::unique_ptr<Sampler>(
        std::make_unique<Penalties>(strengths, size_t(window), setup.vocabulary.size));
}

}  // namespace

namespace entries {
extern const SamplerKind penalties;
const SamplerKind penalties = {.name = "penalties", .aliases = "", .letter = 'e',
                               .role = Role::edit, .position = 10,
                               .off = "repeat_last_n = 0, or repeat 1, presence 0, frequency 0",
                               .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
