// The rules of a GBNF grammar: names, checks of the whole, and small rules written out in place.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/expression.h"

namespace ingle::grammar {

class GbnfRules {
  public:
    explicit GbnfRules(Expressions& pool) : pool_(pool) {}

    Expr reference(std::string_view name);
    // A rule defined again replaces the first, as in llama.cpp.
    Status define(std::string_view name, Expr body);
    // Checks everything and hands the bodies to the pool; the expression of `root`.
    Result<Expr> finish(std::string_view root);

  private:
    struct Rule {
        std::string name;
        uint32_t id = 0;  // in the pool
        bool defined = false;
        Expr body = none;
    };

    size_t find_or_add(std::string_view name);
    size_t index_of(uint32_t id) const { return id - rules_.front().id; }
    // Rules for which `holds(rule, known)` becomes true, the least such set.
    template <class Holds>
    std::vector<bool> least(Holds holds) const;
    Status check_left_recursion() const;
    void write_out_small_rules();
    bool is_small(Expr body);

    Expressions& pool_;
    std::vector<Rule> rules_;
    std::unordered_map<std::string, size_t> places_;
};

}  // namespace ingle::grammar
