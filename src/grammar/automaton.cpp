#include "grammar/automaton.h"

#include <algorithm>
#include <unordered_set>

namespace ingle::grammar {

namespace {

uint64_t key_of(Automaton::Stack stack) { return uint64_t(stack.top) << 32 | stack.below; }

}  // namespace

Automaton::Automaton(Expressions& expressions) : expressions_(expressions) {
    stacks_.push_back({none, 0});
    states_.emplace_back();
}

uint32_t Automaton::intern_stack(Stack stack) {
    const auto [place, added] = stack_ids_.try_emplace(key_of(stack), uint32_t(stacks_.size()));
    if (added) stacks_.push_back(stack);
    return place->second;
}

StateId Automaton::intern_state(Gathered gathered) {
    if (gathered.stacks.empty() && !gathered.accepting) return dead;
    std::sort(gathered.stacks.begin(), gathered.stacks.end());
    uint64_t hash = gathered.accepting ? 0x9e3779b97f4a7c15u : 1;
    for (const uint32_t stack : gathered.stacks) hash = (hash ^ stack) * 0x100000001b3u + (hash >> 31);
    const auto [first, last] = state_ids_.equal_range(hash);
    for (auto known = first; known != last; ++known) {
        const State& state = states_[known->second];
        if (state.accepting == gathered.accepting && state.stacks == gathered.stacks)
            return known->second;
    }
    const StateId id = StateId(states_.size());
    state_ids_.emplace(hash, id);
    states_.push_back({std::move(gathered.stacks), gathered.accepting, nullptr});
    return id;
}

void Automaton::gather(Expr first_top, uint32_t first_below, Gathered& out) {
    std::vector<Stack> work = {{first_top, first_below}};
    std::unordered_set<uint64_t> seen;
    while (!work.empty()) {
        const Stack now = work.back();
        work.pop_back();
        if (now.top == none || !seen.insert(key_of(now)).second) continue;
        if (seen.size() > 10 * stacks_max || out.stacks.size() > stacks_max) {
            if (status_.ok())
                status_ = fail(Code::limit, "the grammar is too ambiguous: more than ", stacks_max,
                               " ways to go on");
            return;
        }
        if (expressions_.nullable(now.top)) {
            if (now.below == 0) out.accepting = true;
            else work.push_back(stacks_[now.below]);
        }
        bool kept = expressions_.has_bytes(now.top);
        const std::vector<Head> heads = expressions_.heads(now.top);
        for (const Head& head : heads) {
            if (head.is_token) {
                kept = true;
                continue;
            }
            const uint32_t below =
                head.rest == epsilon ? now.below : intern_stack({head.rest, now.below});
            work.push_back({expressions_.rule_body(head.target), below});
        }
        if (!kept) continue;
        const uint32_t id = intern_stack(now);
        if (std::find(out.stacks.begin(), out.stacks.end(), id) == out.stacks.end())
            out.stacks.push_back(id);
    }
}

StateId Automaton::enter(Expr top, uint32_t below) {
    Gathered out;
    gather(top, below, out);
    return intern_state(std::move(out));
}

StateId Automaton::first_step(StateId state, uint8_t byte) {
    states_[state].next = std::make_unique<std::array<StateId, 256>>();
    states_[state].next->fill(unknown);
    return compute_step(state, byte);
}

StateId Automaton::compute_step(StateId state, uint8_t byte) {
    Gathered out;
    const std::vector<uint32_t> from = states_[state].stacks;
    for (const uint32_t id : from) {
        const Stack stack = stacks_[id];
        const Expr next = expressions_.step(stack.top, byte);
        if (next != none) gather(next, stack.below, out);
    }
    const StateId to = status().ok() ? intern_state(std::move(out)) : dead;
    (*states_[state].next)[byte] = to;
    return to;
}

StateId Automaton::step_token(StateId state, uint32_t token) {
    Gathered out;
    const std::vector<uint32_t> from = states_[state].stacks;
    for (const uint32_t id : from) {
        const Stack stack = stacks_[id];
        const std::vector<Head> heads = expressions_.heads(stack.top);
        for (const Head& head : heads)
            if (head.is_token && (head.target == token) != head.negated)
                gather(head.rest, stack.below, out);
    }
    return status().ok() ? intern_state(std::move(out)) : dead;
}

StateId Automaton::compact(StateId keep) {
    const State kept = std::move(states_[keep]);
    std::vector<Stack> old = std::move(stacks_);
    stacks_ = {{none, 0}};
    states_.clear();
    states_.emplace_back();
    stack_ids_.clear();
    state_ids_.clear();
    Gathered again{.stacks = {}, .accepting = kept.accepting};
    std::unordered_map<uint32_t, uint32_t> moved = {{0, 0}};
    for (const uint32_t id : kept.stacks) {
        std::vector<uint32_t> path;
        for (uint32_t at = id; !moved.contains(at); at = old[at].below) path.push_back(at);
        for (size_t i = path.size(); i-- > 0;)
            moved[path[i]] = intern_stack({old[path[i]].top, moved[old[path[i]].below]});
        again.stacks.push_back(moved[id]);
    }
    return intern_state(std::move(again));
}

}  // namespace ingle::grammar
