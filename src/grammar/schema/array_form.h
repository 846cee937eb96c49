// One alternative for arrays as an automaton over items. A state knows how many items came, as far as
// that matters, and how many of them met each demand.
#pragma once

#include <map>

#include "grammar/schema/normal_form.h"

namespace ingle::grammar {

class ArrayForm : public Rules {
  public:
    ArrayForm(NormalForms& forms, ArrayGroup group);

    bool possible();
    Expr start();
    Expr body(uint32_t state) override;
    void values(std::vector<Formula>& out) const;

  private:
    // The number of items, then how often each demand of `any`, then of `few`, was met.
    using State = std::vector<uint32_t>;
    struct Way {
        Formula value;
        State next;
    };

    uint32_t intern(State state);
    std::vector<Way> ways(const State& state) const;
    bool can_end(const State& state) const;
    bool can_finish(const State& state);
    Formula common(uint32_t index) const;
    Expr items(uint32_t state);

    NormalForms& forms_;
    ArrayGroup group_;
    uint32_t alike_from_ = 0;  // from this index on all items are treated alike
    uint32_t index_max_ = 0;   // indices are told apart up to here
    std::vector<State> states_;
    std::vector<uint32_t> rules_;
    std::map<State, uint32_t> ids_;
    std::map<State, bool> finishes_;
    std::map<State, bool> asked_;
};

}  // namespace ingle::grammar
