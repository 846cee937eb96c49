// A grammar over a model's vocabulary: what sampling asks which tokens may come next.
#pragma once

#include <memory>

#include "grammar/grammar.h"
#include "sampling/chain.h"
#include "tokenizer/tokenizer.h"

namespace ingle {

// The texts of a vocabulary for grammars; control tokens have none. One serves all sequences.
std::shared_ptr<const grammar::TokenTrie> token_trie_of(const Tokenizer& tokenizer);
// Looks up <token> of GBNF.
grammar::TokenNames token_names_of(const Tokenizer& tokenizer);

// Of one sequence.
class GrammarMask : public sampling::TokenMask {
  public:
    GrammarMask(std::shared_ptr<grammar::Grammar> grammar,
                std::shared_ptr<const grammar::TokenTrie> trie, grammar::Triggers triggers = {})
        : matcher_(std::move(grammar), std::move(trie), std::move(triggers)) {}

    // Nothing is allowed once a limit was reached: see status().
    std::span<const uint64_t> allowed() override;
    Status accept(Token token);
    // True if only the end may come.
    bool must_end() const { return matcher_.must_end(); }
    // Why nothing is allowed, if that is the grammar's fault.
    const Status& status() const { return status_; }
    void reset();

  private:
    grammar::Matcher matcher_;
    Status status_;
    std::vector<uint64_t> nothing_;
};

}  // namespace ingle
