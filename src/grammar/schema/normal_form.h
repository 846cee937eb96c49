// Formulas by type of value: scalars as one expression, objects and arrays as alternatives of plain
// demands that all hold ("groups"). Alternatives that nothing satisfies are left out, so that what is
// allowed can always be completed.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "grammar/schema/formula.h"

namespace ingle::grammar {

struct ObjectGroup {
    struct Demand {
        uint32_t names;
        Formula value;
        auto operator<=>(const Demand&) const = default;
    };
    std::vector<Demand> all;  // every member with such a name
    std::vector<Demand> any;  // some member with such a name
    uint32_t min = 0, max = unlimited;
};

struct ArrayGroup {
    struct Demand {
        uint32_t from, to;
        Formula value;
        uint32_t count = 1;  // of items that satisfy `value`: at least (any) or at most (few)
    };
    std::vector<Demand> all, any, few;
    uint32_t min = 0, max = unlimited;
};

class ObjectForm;
class ArrayForm;

class NormalForms : public Rules {
  public:
    NormalForms(Expressions& expressions, Formulas& formulas);
    ~NormalForms() override;

    // The rule whose body matches the values of the formula as JSON text.
    uint32_t rule(Formula formula);
    Expr body(uint32_t formula) override;
    // Whether some value satisfies it. Unknown (a cycle, when asked from within) counts as `in_doubt`.
    bool satisfiable(Formula formula, bool in_doubt);
    // Whether a question about satisfiability is open, so that a "no" may not be final.
    bool asking() const { return in_doubt_depth_ > 0; }
    // Makes all that can be reached, so that nothing can fail later.
    Status complete(Formula root);

    Expressions& expressions() { return expressions_; }
    Formulas& formulas() { return formulas_; }
    Expr space();
    // A JSON string that is exactly `text`; what need not be escaped may not be.
    Expr json_literal(std::string_view text);
    template <class... Parts>
    void refuse(const Parts&... what) {
        if (status_.ok()) status_ = fail(Code::unsupported, "schema, ", place(), ": ", what...);
    }
    // Remembers which keyword a formula comes from, for messages.
    void note(Formula formula, std::string pointer) { places_.try_emplace(formula, std::move(pointer)); }

    static constexpr size_t groups_max = 2000;
    static constexpr size_t formulas_max = 50'000;
    static constexpr size_t steps_max = 400'000;

  private:
    std::string place() const;

    struct Form {
        Expr scalars = none;
        std::vector<std::unique_ptr<ObjectForm>> objects;
        std::vector<std::unique_ptr<ArrayForm>> arrays;
    };
    enum class Answer : uint8_t { fresh, open, yes, no };

    Form& form(Formula formula);
    Expr scalars(Formula formula);
    Expr number_text();
    void check_limits();
    Formula exactly_one(Formula formula);
    // What the formula says of values of one type.
    Expr evaluate(Formula formula, uint32_t type, bool boolean, int depth);

    template <class Group>
    struct Work {
        Group group;
        std::vector<std::pair<Formula, bool>> pending;  // formula, negated
        std::vector<std::vector<std::pair<Formula, bool>>> choices;
        std::vector<std::pair<Formula, bool>> taken;
    };
    template <class Group>
    std::vector<Group> groups(Formula formula);
    // Moves what is pending into the group and the choices; false if they contradict.
    template <class Group>
    bool settle(Work<Group>& work);
    bool take(ObjectGroup& group, const FormulaNode& node, bool negated);
    bool take(ArrayGroup& group, const FormulaNode& node, bool negated);
    bool possible(const ObjectGroup& group);
    bool possible(const ArrayGroup& group);

    Expressions& expressions_;
    Formulas& formulas_;
    std::unordered_map<Formula, std::unique_ptr<Form>> forms_;
    std::unordered_map<Formula, uint32_t> rules_;
    std::unordered_map<Formula, Answer> answers_;
    std::set<std::pair<Formula, uint32_t>> evaluating_;
    std::map<std::pair<Formula, uint32_t>, Expr> evaluated_;
    std::unordered_map<Formula, Formula> exactly_one_;
    std::unordered_map<Formula, std::string> places_;
    Formula current_ = always;  // being taken apart
    size_t steps_ = 0;
    int depth_ = 0, in_doubt_depth_ = 0;
    bool doubts_ = false;  // an answer since it was cleared rests on a question still open
    Expr space_ = none, number_ = none;
    Status status_;
};

}  // namespace ingle::grammar
