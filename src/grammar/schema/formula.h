// Schemas as formulas: and, or, not over plain statements about a value. Every statement speaks of one
// type and holds for values of all others, as the keywords of JSON Schema do.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "grammar/expression.h"

namespace ingle::grammar {

using Formula = uint32_t;
inline constexpr Formula never = 0;
inline constexpr Formula always = 1;

// Types of values, one bit each.
enum TypeBit : uint32_t {
    null_type = 1, boolean_type = 2, number_type = 4, string_type = 8, array_type = 16,
    object_type = 32, every_type = 63,
};

struct FormulaNode {
    enum class Kind : uint8_t {
        never, always, all_of, any_of, negation,
        reference,    // a: schema; what it says is given later
        one_of,       // exactly one of the parts
        types,        // a: bits
        truth,        // a: the boolean
        number,       // a: expression over the digits
        text,         // a: expression over the characters
        members_all,  // members whose name is in name set a satisfy formula b
        members_any,  // some member whose name is in name set a satisfies formula b
        names_all,    // every name, as a string, satisfies formula a
        members_min,  // a
        members_max,  // a
        items_all,    // items from..to (not included) satisfy formula a
        items_any,    // at least b items of from..to satisfy formula a
        items_few,    // at most b items of from..to satisfy formula a
        items_min,    // a
        items_max,    // a
    };
    Kind kind = Kind::never;
    uint32_t a = 0, b = 0, from = 0, to = 0;
    std::vector<Formula> parts = {};
    auto operator<=>(const FormulaNode&) const = default;
};

// Names of members: one name, or all that an expression matches.
struct NameSet {
    bool single = false;
    std::string name = {};
    Expr expression = none;  // of a single name, too
    auto operator<=>(const NameSet&) const = default;
};

class Formulas {
  public:
    Formulas();

    Formula all_of(std::vector<Formula> parts);
    Formula any_of(std::vector<Formula> parts);
    Formula negation(Formula part);
    Formula atom(FormulaNode node);
    Formula types(uint32_t bits);
    Formula reference(uint32_t schema) {
        return atom({.kind = FormulaNode::Kind::reference, .a = schema});
    }
    uint32_t name_set(NameSet names);

    const FormulaNode& node(Formula formula) const { return nodes_[formula]; }
    const NameSet& names(uint32_t set) const { return name_sets_[set]; }
    // What a reference stands for.
    Formula target(uint32_t schema) const { return targets_[schema]; }
    uint32_t add_target();
    void set_target(uint32_t schema, Formula formula) { targets_[schema] = formula; }
    size_t size() const { return nodes_.size(); }

  private:
    std::deque<FormulaNode> nodes_;  // stays in place while formulas are added
    std::map<FormulaNode, Formula> known_;
    std::deque<NameSet> name_sets_;
    std::map<NameSet, uint32_t> known_names_;
    std::vector<Formula> targets_;
};

}  // namespace ingle::grammar
