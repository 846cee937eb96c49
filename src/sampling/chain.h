// From logits to a token: bias, the ordered samplers, the sampler that chooses (mirostat,
// adaptive-p or none), one draw. A Chain holds the sampling state of one sequence; sequences never
// share one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/option.h"
#include "base/status.h"
#include "sampling/candidates.h"
#include "sampling/mersenne_twister.h"
#include "sampling/sampler.h"

namespace ingle::sampling {

// Which tokens a grammar allows next.
class TokenMask {
  public:
    virtual ~TokenMask() = default;
    // One bit a token, the lowest id in the lowest bit of the first word, 1 = allowed; tokens
    // beyond the end are refused. Empty: everything is allowed. Valid until the mask's state
    // changes.
    virtual std::span<const uint64_t> allowed() = 0;
};

// What was unusual in the logits so far.
struct Counters {
    uint64_t nan_logits = 0;       // taken as -inf
    uint64_t infinite_logits = 0;  // +inf: drawn from these alone
    uint64_t failed_draws = 0;     // rows with no possible token
};

class Chain {
  public:
    // `options` holds values for sampling_options(). A window of -1 covers `context_tokens` (0:
    // everything).
    static Result<Chain> make(const OptionValues& options, VocabularyInfo vocabulary,
                              int64_t context_tokens = 0);

    Chain(Chain&&) = default;
    Chain& operator=(Chain&&) = default;

    // Draws a token; does not accept it. Logits: one a token of the vocabulary.
    // NaN counts as -inf; with one or more +inf only those can be drawn, equally likely. Fails with
    // Code::internal if no logit is above -inf, with Code::invalid_argument if bias or mask leave
    // no token.
    // Allocates nothing once warm.
    Result<Token> sample(std::span<const float> logits, TokenMask* mask = nullptr);

    // Tells the samplers of a token of the sequence, from the prompt or drawn. Ids outside the
    // vocabulary are ignored.
    void accept(Token token);

    // Back to the start of a new sequence with the same seed.
    void reset();
    // The same chain in the same state, for a fork of the sequence.
    Chain clone() const;

    // The seed in use, also when -1 asked for a random one.
    uint64_t seed() const { return seed_; }
    const Counters& counters() const { return counters_; }
    // What the last draw chose from, in id order, with final probabilities (see probabilities.h).
    // It may look at the logits given to that draw: read it while they are alive and unchanged.
    Candidates& last() { return candidates_; }
    // "penalties -> top_k -> temperature", the steps that are on.
    std::string describe() const;

  private:
    struct Step {
        const SamplerKind* kind;
        std::unique_ptr<Sampler> sampler;
    };

    Chain() : random_(0) {}
    Status settle(TokenMask* mask);
    Result<size_t> draw();

    std::vector<Step> steps_;
    VocabularyInfo vocabulary_;
    Candidates candidates_;
    MersenneTwister random_;
    std::vector<uint32_t> order_;  // scratch of draw()
    uint64_t seed_ = 0;
    Counters counters_;
};

}  // namespace ingle::sampling
