// What a sampler is: one file in samplers/ that declares its options, its place in the order and
// its rule. The file's stem is the symbol of its SamplerKind in ingle::sampling::entries; the
// folder is the registry.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/option.h"
#include "base/random.h"
#include "base/status.h"
#include "sampling/candidates.h"

namespace ingle::sampling {

// What a chain must know about the model.
struct VocabularyInfo {
    int32_t size = 0;               // tokens, equal to the number of logits
    std::vector<Token> end_tokens;  // those that end generation; the first is the usual one
    // Appends the bytes of a token. Used by DRY (sequence breakers) and infill; empty disables
    // both, by an error.
    std::function<void(Token, std::string& out)> append_text;
};

// What a sampler is made from.
struct Setup {
    const OptionValues& options;
    const VocabularyInfo& vocabulary;
    int64_t context_tokens;  // what a window of -1 means; 0 = everything since the start
    uint64_t seed;           // of this sampler's own random numbers
};

// One step of a chain, with the state of one sequence. Not shared between threads.
class Sampler {
  public:
    virtual ~Sampler() = default;
    // Changes logits or removes candidates. Allocates nothing once it has seen its largest input.
    virtual void apply(Candidates& candidates) = 0;
    // A token of the sequence, from the prompt or drawn.
    virtual void accept(Token) {}
    // The chain drew entry `index`, whose probability is the final one.
    virtual void drawn(Candidates&, size_t /*index*/) {}
    // Back to the state of a new sequence.
    virtual void reset() {}
    virtual std::unique_ptr<Sampler> clone() const = 0;
};

// Gives Self its clone().
template <class Self>
class SamplerOf : public Sampler {
  public:
    std::unique_ptr<Sampler> clone() const final {
        return std::make_unique<Self>(static_cast<const Self&>(*this));
    }
};

enum class Role {
    bias,      // changes logits before everything else, not part of the order
    edit,      // changes logits
    truncate,  // removes candidates; replaced by a sampler that chooses, if it says so
    choose,    // shapes the final draw, always last
};

struct SamplerKind {
    std::string_view name;     // in --samplers and in the JSON field "samplers"
    std::string_view aliases;  // other spellings, comma-separated
    char letter;               // in --sampler-seq; 0: not part of the order
    Role role;
    int position;              // ascending in the default order; 0: not in it
    std::string_view off;      // when it does nothing, for the documentation
    std::vector<Option> (*options)();
    // The sampler for these options, or null when they switch it off.
    Result<std::unique_ptr<Sampler>> (*make)(const Setup& setup);
    bool replaces_truncation = false;  // a `choose` that makes its own cut
};

// Every file of samplers/, by file name (generated).
std::span<const SamplerKind* const> sampler_kinds();

}  // namespace ingle::sampling
