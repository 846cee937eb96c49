// What analyses of rules ask of an expression. Loops follow long sequences; recursion follows groups.
#include "grammar/expression.h"

namespace ingle::grammar {

std::vector<uint32_t> Expressions::calls_in(Expr state) const {
    std::vector<uint32_t> out;
    std::vector<Expr> work = {state};
    std::unordered_set<Expr> seen;
    while (!work.empty()) {
        const Expr now = work.back();
        work.pop_back();
        const Node& node = nodes_[now];
        if (!node.headed || !seen.insert(now).second) continue;
        if (node.kind == Kind::call) out.push_back(node.a);
        else if (node.kind == Kind::repeat) work.push_back(node.a);
        else if (node.kind == Kind::concat) work.insert(work.end(), {node.a, node.b});
        else if (node.kind == Kind::either)
            for (const Expr part : parts_of(now)) work.push_back(part);
    }
    return out;
}

bool Expressions::nullable_if(Expr state, FunctionRef<bool(uint32_t)> of_rule) const {
    while (true) {
        const Node& node = nodes_[state];
        if (node.nullable || !node.headed) return node.nullable;
        if (node.kind == Kind::call) return of_rule(node.a);
        if (node.kind == Kind::repeat) {
            state = node.a;
        } else if (node.kind == Kind::concat) {
            if (!nullable_if(node.a, of_rule)) return false;
            state = node.b;
        } else if (node.kind == Kind::either) {
            for (const Expr part : parts_of(state))
                if (nullable_if(part, of_rule)) return true;
            return false;
        } else {
            return false;
        }
    }
}

bool Expressions::completable_if(Expr state, FunctionRef<bool(uint32_t)> of_rule) const {
    while (true) {
        const Node& node = nodes_[state];
        if (state == none) return false;
        if (node.nullable || !node.headed) return true;
        if (node.kind == Kind::call) return of_rule(node.a);
        if (node.kind == Kind::repeat) {
            state = node.a;
        } else if (node.kind == Kind::concat) {
            if (!completable_if(node.a, of_rule)) return false;
            state = node.b;
        } else if (node.kind == Kind::either) {
            for (const Expr part : parts_of(state))
                if (completable_if(part, of_rule)) return true;
            return false;
        } else {
            return true;
        }
    }
}

void Expressions::first_calls(Expr state, FunctionRef<bool(uint32_t)> nullable_rule,
                              std::vector<uint32_t>& out) const {
    while (true) {
        const Node& node = nodes_[state];
        if (!node.headed) return;
        if (node.kind == Kind::call) return out.push_back(node.a);
        if (node.kind == Kind::repeat) {
            state = node.a;
        } else if (node.kind == Kind::concat) {
            first_calls(node.a, nullable_rule, out);
            if (!nullable_if(node.a, nullable_rule)) return;
            state = node.b;
        } else {
            if (node.kind == Kind::either)
                for (const Expr part : parts_of(state)) first_calls(part, nullable_rule, out);
            return;
        }
    }
}

Expr Expressions::substitute(Expr state, FunctionRef<Expr(uint32_t)> replacement) {
    std::vector<Expr> before;  // the parts of a sequence
    while (nodes_[state].kind == Kind::concat && nodes_[state].headed) {
        before.push_back(nodes_[state].a);
        state = nodes_[state].b;
    }
    const Node node = nodes_[state];
    Expr whole = state;
    if (node.headed && node.kind == Kind::call) {
        const Expr other = replacement(node.a);
        if (other != none) whole = other;
    } else if (node.headed && node.kind == Kind::repeat) {
        whole = repeat(substitute(node.a, replacement), node.c, node.d);
    } else if (node.headed && node.kind == Kind::either) {
        std::vector<Expr> parts = parts_of(state);
        for (Expr& part : parts) part = substitute(part, replacement);
        whole = either(std::move(parts));
    }
    for (size_t i = before.size(); i-- > 0;)
        whole = concat(substitute(before[i], replacement), whole);
    return whole;
}

}  // namespace ingle::grammar
