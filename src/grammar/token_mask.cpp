#include "grammar/token_mask.h"

#include <algorithm>

namespace ingle::grammar {

namespace {

constexpr size_t few_max = 512;

void set(std::span<uint64_t> bits, uint32_t token) {
    bits[token / 64] |= uint64_t(1) << (token % 64);
}

}  // namespace

TokenMasks::TokenMasks(Automaton& automaton, std::shared_ptr<const TokenTrie> trie)
    : automaton_(automaton), trie_(std::move(trie)), path_(trie_->depth_max() + 2) {}

void TokenMasks::add_tokens(const TokenTrie::Node& node, std::span<uint64_t> bits) const {
    for (uint32_t i = node.token_from; i < node.token_to; ++i) set(bits, trie_->tokens()[i]);
}

template <class Found>
void TokenMasks::walk(StateId state, size_t from, size_t to, uint32_t depth, Found found) {
    const std::span<const TokenTrie::Node> nodes = trie_->nodes();
    path_[depth] = state;
    for (size_t i = from; i < to;) {
        const TokenTrie::Node& node = nodes[i];
        const StateId next = automaton_.step(path_[node.depth - 1], node.byte);
        if (next == Automaton::dead) {
            i = node.end;
            continue;
        }
        path_[node.depth] = next;
        i = found(i, next);
    }
}

TokenMasks::Part TokenMasks::part_of_text(Expressions::PlainText text) const {
    const StringTokens& strings = trie_->string_tokens();
    Part part;
    part.many = strings.bits;
    const auto forbid = [&part](uint32_t token) {
        part.many[token / 64] &= ~(uint64_t(1) << (token % 64));
    };
    for (const StringTokens::Use& use : strings.uses) {
        if (use.characters <= text.max) break;
        forbid(use.token);
    }
    if (text.min > 0)
        for (const StringTokens::Use& use : strings.closing)
            if (use.characters < text.min) forbid(use.token);
    for (const StringTokens::End& end : strings.ends)
        if (end.characters >= text.min && end.characters <= text.max) part.ends.push_back(end.node);
    return part;
}

// Whether the state is a string whose further characters are free.
bool TokenMasks::is_any_text(StateId state) const {
    const auto& stacks = automaton_.stacks(state);
    if (stacks.size() != 1 || automaton_.accepting(state)) return false;
    const auto text = automaton_.expressions().plain_text(automaton_.stack(stacks[0]).top);
    return text && text->min == 0 && text->max == unlimited;
}

// The subtree of node `i`, whose text so far stands in such a string, without a walk.
template <class Add>
size_t TokenMasks::add_any_text(size_t i, Add add, Part& part) const {
    const StringTokens& strings = trie_->string_tokens();
    const auto nodes = trie_->nodes();
    const size_t end = nodes[i].end;
    const size_t last = end < nodes.size() ? nodes[end].token_from : trie_->tokens().size();
    for (size_t k = nodes[i].token_from; k < last; ++k)
        if (strings.fitting[k] != 0) add(trie_->tokens()[k]);
    const auto first = std::lower_bound(strings.ends.begin(), strings.ends.end(), i,
                                        [](const StringTokens::End& e, size_t node) { return e.node < node; });
    for (auto place = first; place != strings.ends.end() && place->node < end; ++place)
        part.ends.push_back(place->node);
    return end;
}

const TokenMasks::Part& TokenMasks::part_of(Expr top) {
    if (const auto known = parts_.find(top); known != parts_.end()) return known->second;
    if (const auto text = automaton_.expressions().plain_text(top)) {
        Part part = part_of_text(*text);
        bytes_kept_ += 64 + part.many.size() * 8 + part.ends.size() * 4;
        return parts_.emplace(top, std::move(part)).first->second;
    }
    Part part;
    std::vector<uint64_t> bits(trie_->words());
    size_t count = 0;
    const auto add = [&](uint32_t token) {
        set(bits, token);
        if (count++ < few_max) part.few.push_back(token);
    };
    const bool in_text = automaton_.expressions().in_text(top);
    // On its own stack: where it may end, what lies below would go on.
    const StateId alone = automaton_.enter(top, 0);
    walk(alone, 0, trie_->nodes().size(), 0, [&](size_t i, StateId state) {
        const TokenTrie::Node& node = trie_->nodes()[i];
        if (in_text && is_any_text(state)) return add_any_text(i, add, part);
        for (uint32_t k = node.token_from; k < node.token_to; ++k) add(trie_->tokens()[k]);
        if (automaton_.accepting(state) && node.end > i + 1) part.ends.push_back(uint32_t(i));
        return i + 1;
    });
    if (count > few_max) {
        part.few.clear();
        part.many = std::move(bits);
    }
    bytes_kept_ += 64 + part.few.size() * 4 + part.many.size() * 8 + part.ends.size() * 4;
    return parts_.emplace(top, std::move(part)).first->second;
}

void TokenMasks::keep_within_limit() {
    if (bytes_kept_ < bytes_kept_max) return;
    parts_.clear();
    whole_.clear();
    bytes_kept_ = 0;
}

std::span<const uint64_t> TokenMasks::allowed(StateId state) {
    if (const auto known = whole_.find(state); known != whole_.end()) return known->second;
    keep_within_limit();
    std::vector<uint64_t> bits(trie_->words());
    const std::vector<uint32_t> stacks = automaton_.stacks(state);
    for (const uint32_t id : stacks) {
        const Automaton::Stack stack = automaton_.stack(id);
        const Part& part = part_of(stack.top);
        for (const uint32_t token : part.few) set(bits, token);
        for (size_t i = 0; i < part.many.size(); ++i) bits[i] |= part.many[i];
        if (stack.below != 0 && !part.ends.empty()) {
            const auto [place, added] = entered_.try_emplace(stack.below, Automaton::dead);
            if (added) {
                const Automaton::Stack below = automaton_.stack(stack.below);
                place->second = automaton_.enter(below.top, below.below);
            }
            const StateId after = place->second;
            for (const uint32_t end : part.ends) {
                const TokenTrie::Node& node = trie_->nodes()[end];
                walk(after, end + 1, node.end, node.depth, [&](size_t i, StateId) {
                    add_tokens(trie_->nodes()[i], bits);
                    return i + 1;
                });
            }
        }
        const std::vector<Head> heads = automaton_.expressions().heads(stack.top);
        for (const Head& head : heads) {
            if (!head.is_token) continue;
            for (uint32_t token = 0; token < trie_->size(); ++token)
                if ((token == head.target) != head.negated) set(bits, token);
        }
    }
    // Also "any token but" does not mean those that end a text.
    for (const uint32_t token : trie_->end_tokens()) {
        if (token >= trie_->size()) continue;
        bits[token / 64] &= ~(uint64_t(1) << (token % 64));
        if (automaton_.accepting(state)) set(bits, token);
    }
    bytes_kept_ += bits.size() * 8;
    return whole_.emplace(state, std::move(bits)).first->second;
}

}  // namespace ingle::grammar
