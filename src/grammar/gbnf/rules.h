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
    // Bodies given from outside may call rules of the pool that are not ours: they match some text, and never
    // the empty one.
    bool is_own(uint32_t id) const { return id - rules_.front().id < rules_.size(); }
    size_t index_of(uint32_t id) const { return id - rules_.front().id; }
    std::vector<uint32_t> own_calls_in(Expr body) const;
    // Rules for which `holds(rule, known)` becomes true, the least such set. `of_others`: whether it is true for
    // the rules that are not ours.
    template <class Holds>
    std::vector<bool> least(bool of_others, Holds holds) const;
    Status check_left_recursion() const;
    void write_out_small_rules();
    bool is_small(Expr body);

    Expressions& pool_;
    std::vector<Rule> rules_;
    std::unordered_map<std::string, size_t> places_;
};

}  // namespace ingle::grammar
