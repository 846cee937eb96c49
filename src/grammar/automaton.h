// A pushdown automaton over bytes. A state is a set of stacks; a stack is a linked list of
// expressions: what is being matched on top, below it what follows. Stacks and states are interned,
// steps remembered. Time per byte is bounded by `stacks_max`, whatever the input and the grammar.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grammar/expression.h"

namespace ingle::grammar {

using StateId = uint32_t;

class Automaton {
  public:
    static constexpr StateId dead = 0;
    static constexpr size_t stacks_max = 2000;

    struct Stack {
        Expr top;
        uint32_t below;  // 0: nothing
        bool operator==(const Stack&) const = default;
    };

    explicit Automaton(Expressions& expressions);

    StateId start(Expr root) { return enter(root, 0); }
    // The state with `top` on the stack `below`.
    StateId enter(Expr top, uint32_t below);
    // After one byte; `dead` if the text cannot be completed.
    StateId step(StateId state, uint8_t byte) {
        State& from = states_[state];
        if (from.next == nullptr) return first_step(state, byte);
        const StateId known = (*from.next)[byte];
        return known != unknown ? known : compute_step(state, byte);
    }
    // After a token that the grammar names itself (not by its bytes).
    StateId step_token(StateId state, uint32_t token);

    // Whether the text may end here.
    bool accepting(StateId state) const { return states_[state].accepting; }
    const std::vector<uint32_t>& stacks(StateId state) const { return states_[state].stacks; }
    const Stack& stack(uint32_t id) const { return stacks_[id]; }
    Expressions& expressions() const { return expressions_; }
    size_t size() const { return states_.size(); }

    // Forgets every state but `keep`, whose new name is returned.
    StateId compact(StateId keep);
    const Status& status() const { return status_.ok() ? expressions_.status() : status_; }

  private:
    static constexpr StateId unknown = 0xffffffff;
    struct State {
        std::vector<uint32_t> stacks;
        bool accepting = false;
        std::unique_ptr<std::array<StateId, 256>> next;
    };
    struct Gathered {
        std::vector<uint32_t> stacks;
        bool accepting = false;
    };

    StateId first_step(StateId state, uint8_t byte);
    StateId compute_step(StateId state, uint8_t byte);
    uint32_t intern_stack(Stack stack);
    StateId intern_state(Gathered gathered);
    // Adds the stack and all that it becomes by entering and leaving rules.
    void gather(Expr top, uint32_t below, Gathered& out);

    Expressions& expressions_;
    std::vector<Stack> stacks_;
    std::vector<State> states_;
    std::unordered_map<uint64_t, uint32_t> stack_ids_;
    std::unordered_multimap<uint64_t, StateId> state_ids_;
    Status status_;
};

}  // namespace ingle::grammar
