// Which tokens of a vocabulary may come next, as one bit a token. What a stack's top allows by itself
// is computed once and kept; only tokens that reach below the top are looked at again.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "grammar/automaton.h"
#include "grammar/token_trie.h"

namespace ingle::grammar {

class TokenMasks {
  public:
    TokenMasks(Automaton& automaton, std::shared_ptr<const TokenTrie> trie);

    // The lowest id in the lowest bit of the first word. Valid until the next call.
    std::span<const uint64_t> allowed(StateId state);
    const TokenTrie& trie() const { return *trie_; }
    // To be called when the automaton has forgotten its states.
    void forget_states() { whole_.clear(), entered_.clear(); }
    size_t bytes_kept() const { return bytes_kept_; }

    static constexpr size_t bytes_kept_max = size_t(128) << 20;

  private:
    // What one expression allows, whatever lies below it.
    struct Part {
        std::vector<uint32_t> few;   // tokens, if they are few
        std::vector<uint64_t> many;  // bits otherwise
        std::vector<uint32_t> ends;  // nodes of the trie at which it may end with more to come
    };

    const Part& part_of(Expr top);
    // The part of a string of any characters, without a walk.
    Part part_of_text(Expressions::PlainText text) const;
    bool is_any_text(StateId state) const;
    template <class Add>
    size_t add_any_text(size_t node, Add add, Part& part) const;
    // Calls found(node, state) for each node from..to that can be reached from `state`, `depth` bytes
    // deep; it returns the node to go on with.
    template <class Found>
    void walk(StateId state, size_t from, size_t to, uint32_t depth, Found found);
    void add_tokens(const TokenTrie::Node& node, std::span<uint64_t> bits) const;
    void keep_within_limit();

    Automaton& automaton_;
    std::shared_ptr<const TokenTrie> trie_;
    std::unordered_map<Expr, Part> parts_;
    std::unordered_map<StateId, std::vector<uint64_t>> whole_;
    std::unordered_map<uint32_t, StateId> entered_;  // stack -> state when everything above it is done
    std::vector<StateId> path_;
    size_t bytes_kept_ = 0;
};

}  // namespace ingle::grammar
