// One alternative for objects as an automaton over members in any order. A state knows which of the
// named members came, how many there were, and which demands for "some member" are still open.
#pragma once

#include <map>

#include "grammar/schema/normal_form.h"

namespace ingle::grammar {

// Whether the name belongs to the set.
bool contains(Expressions& expressions, const NameSet& names, std::string_view name);

class ObjectForm : public Rules {
  public:
    ObjectForm(NormalForms& forms, ObjectGroup group);

    // Whether some object satisfies it.
    bool possible();
    // An object from its brace on.
    Expr start();
    // What may follow a member: the rest of the object in state `state`.
    Expr body(uint32_t state) override;
    // Appends what its members' values may have to satisfy.
    void values(std::vector<Formula>& out) const;

  private:
    // Names that are treated alike.
    struct Class {
        bool single = false;
        std::string name = {};
        Expr characters = none;
        Expr text = none;  // as JSON
        Formula value = always;
        bool required = false;
        uint32_t witnesses = 0;  // the open demands that such a member could meet
    };
    struct State {
        std::vector<bool> seen;  // one a class
        uint32_t open = 0;       // demands
        uint32_t count = 0;
        auto operator<=>(const State&) const = default;
    };

    void add_named(const ObjectGroup& group);
    void add_others(const ObjectGroup& group);
    uint32_t intern(State state);
    // The value of a member that also meets the demands `met`.
    Formula value_of(const Class& names, uint32_t met) const;
    State after(State state, size_t names, uint32_t met) const;
    bool can_end(const State& state) const;
    bool can_finish(const State& state);
    Expr members(uint32_t state);

    NormalForms& forms_;
    uint32_t min_, max_;
    std::vector<Class> classes_;
    std::vector<Formula> demands_;
    std::vector<uint32_t> demand_names_;
    std::vector<State> states_;
    std::vector<uint32_t> rules_;
    std::map<State, uint32_t> ids_;
    std::map<State, bool> finishes_;
};

}  // namespace ingle::grammar
