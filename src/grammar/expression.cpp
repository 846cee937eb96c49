#include "grammar/expression.h"

#include <algorithm>

namespace ingle::grammar {

namespace {

size_t mix(size_t hash, uint64_t value) {
    return (hash ^ value) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
}

}  // namespace

size_t Expressions::NodeHash::operator()(Expr id) const {
    const Node& node = owner->nodes_[id];
    size_t hash = mix(size_t(node.kind), node.c) ^ size_t(node.d) << 20;
    hash = mix(hash, node.value);
    if (node.kind == Kind::either || node.kind == Kind::both) {
        for (uint32_t i = 0; i < node.b; ++i) hash = mix(hash, owner->lists_[node.a + i]);
        return hash;
    }
    return mix(mix(hash, node.a), node.b);
}

bool Expressions::NodeEqual::operator()(Expr one, Expr other) const {
    const Node& x = owner->nodes_[one];
    const Node& y = owner->nodes_[other];
    if (x.kind != y.kind || x.b != y.b || x.c != y.c || x.d != y.d || x.value != y.value)
        return false;
    if (x.kind != Kind::either && x.kind != Kind::both) return x.a == y.a;
    return std::equal(owner->lists_.begin() + x.a, owner->lists_.begin() + x.a + x.b,
                      owner->lists_.begin() + y.a);
}

Expressions::Expressions() : known_(64, NodeHash{this}, NodeEqual{this}) {
    intern({.kind = Kind::none});
    intern({.kind = Kind::epsilon, .nullable = true});
    intern({.kind = Kind::negation, .nullable = true, .searched = true, .a = none});
}

Expr Expressions::intern(Node node) {
    if (nodes_.size() >= nodes_max) {
        if (status_.ok())
            status_ = fail(Code::limit, "the grammar needs more than ", nodes_max, " states");
        return none;
    }
    const Expr id = Expr(nodes_.size());
    nodes_.push_back(node);
    const auto [place, added] = known_.insert(id);
    if (!added) nodes_.pop_back();
    return *place;
}

Expr Expressions::intern_list(Kind kind, std::vector<Expr> parts) {
    if (lists_.size() + parts.size() > lists_max) {
        if (status_.ok())
            status_ = fail(Code::limit, "the grammar has states with too many alternatives: more than ",
                           lists_max, " in all");
        return none;
    }
    Node node{.kind = kind, .nullable = kind == Kind::both, .searched = kind == Kind::both};
    for (const Expr part : parts) {
        const Node& child = nodes_[part];
        if (kind == Kind::both) node.nullable = node.nullable && child.nullable;
        else node.nullable = node.nullable || child.nullable;
        node.searched = node.searched || child.searched;
        node.headed = node.headed || child.headed;
    }
    const size_t before = lists_.size(), known = nodes_.size();
    node.a = uint32_t(before);
    node.b = uint32_t(parts.size());
    lists_.insert(lists_.end(), parts.begin(), parts.end());
    const Expr id = intern(node);
    if (nodes_.size() == known) lists_.resize(before);
    return id;
}

std::vector<Expr> Expressions::parts_of(Expr id) const {
    const Node& node = nodes_[id];
    return {lists_.begin() + node.a, lists_.begin() + node.a + node.b};
}

Expr Expressions::bytes(const ByteSet& set) {
    if (set.none()) return none;
    const auto [place, added] = set_ids_.try_emplace(set, uint32_t(sets_.size()));
    if (added) sets_.push_back(set);
    return intern({.kind = Kind::bytes, .a = place->second});
}

Expr Expressions::byte(uint8_t value) {
    ByteSet set;
    set.set(value);
    return bytes(set);
}

Expr Expressions::literal(std::string_view text) {
    Expr whole = epsilon;
    for (size_t i = text.size(); i-- > 0;) whole = concat(byte(uint8_t(text[i])), whole);
    return whole;
}

Expr Expressions::concat(Expr first, Expr second) {
    if (first == none || second == none) return none;
    if (first == epsilon) return second;
    if (second == epsilon) return first;
    const Node head = nodes_[first];
    if (head.kind == Kind::concat) return concat(head.a, concat(head.b, second));
    if (first == anything && second == anything) return anything;
    return intern({.kind = Kind::concat,
                   .nullable = head.nullable && nodes_[second].nullable,
                   .searched = head.searched || nodes_[second].searched,
                   .headed = head.headed || nodes_[second].headed,
                   .a = first,
                   .b = second});
}

Expr Expressions::concat(std::initializer_list<Expr> parts) {
    Expr whole = epsilon;
    for (auto part = std::rbegin(parts); part != std::rend(parts); ++part)
        whole = concat(*part, whole);
    return whole;
}

Expr Expressions::either(std::vector<Expr> parts) {
    std::vector<Expr> flat;
    ByteSet set;
    for (const Expr part : parts) {
        if (part == anything) return anything;
        if (part == none) continue;
        const Node& node = nodes_[part];
        if (node.kind == Kind::bytes) set |= sets_[node.a];
        else if (node.kind != Kind::either) flat.push_back(part);
        else
            for (const Expr inner : parts_of(part)) {
                if (nodes_[inner].kind == Kind::bytes) set |= sets_[nodes_[inner].a];
                else flat.push_back(inner);
            }
    }
    if (set.any()) flat.push_back(bytes(set));
    std::sort(flat.begin(), flat.end());
    flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
    if (flat.size() > 1 && flat[0] == epsilon &&
        std::any_of(flat.begin() + 1, flat.end(), [&](Expr e) { return nodes_[e].nullable; }))
        flat.erase(flat.begin());
    if (flat.empty()) return none;
    return flat.size() == 1 ? flat[0] : intern_list(Kind::either, std::move(flat));
}

Expr Expressions::both(std::vector<Expr> parts) {
    std::vector<Expr> flat;
    std::optional<ByteSet> set;
    const auto add = [&](Expr part) {
        if (nodes_[part].kind != Kind::bytes) return flat.push_back(part);
        set = set ? *set & sets_[nodes_[part].a] : sets_[nodes_[part].a];
    };
    for (const Expr part : parts) {
        if (part == none) return none;
        if (part == anything) continue;
        if (nodes_[part].kind != Kind::both) add(part);
        else
            for (const Expr inner : parts_of(part)) add(inner);
    }
    if (set) {
        const Expr one = bytes(*set);
        if (one == none) return none;
        flat.push_back(one);
    }
    std::sort(flat.begin(), flat.end());
    flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
    if (flat.empty()) return anything;
    if (flat.size() > 1 && flat[0] == epsilon) {
        for (const Expr part : flat)
            if (!nodes_[part].nullable) return none;
        return epsilon;
    }
    for (const Expr part : flat)
        if (nodes_[part].kind == Kind::negation &&
            std::binary_search(flat.begin(), flat.end(), nodes_[part].a))
            return none;
    return flat.size() == 1 ? flat[0] : intern_list(Kind::both, std::move(flat));
}

Expr Expressions::negation(Expr part) {
    if (nodes_[part].kind == Kind::negation) return nodes_[part].a;
    return intern({.kind = Kind::negation, .nullable = !nodes_[part].nullable, .searched = true,
                   .a = part});
}

Expr Expressions::repeat(Expr part, uint32_t min, uint32_t max) {
    if (max == 0 || part == epsilon) return epsilon;
    if (part == none) return min == 0 ? epsilon : none;
    if (min == 1 && max == 1) return part;
    if (part == anything) return min == 0 ? either({epsilon, anything}) : anything;
    const Node node = nodes_[part];
    if (node.nullable) min = 0;
    if (node.kind == Kind::repeat && node.c == 0 && node.d == unlimited && max > 0) return part;
    return intern({.kind = Kind::repeat, .nullable = min == 0, .searched = node.searched,
                   .headed = node.headed, .a = part, .c = min, .d = max});
}

Expr Expressions::number(NumberTest test) {
    const auto known = std::find(tests_.begin(), tests_.end(), test);
    const uint32_t id = uint32_t(known - tests_.begin());
    if (known == tests_.end()) tests_.push_back(std::move(test));
    return number_state(id, {});
}

Expr Expressions::number_state(uint32_t test, const NumberState& state) {
    const uint32_t flags = uint32_t(state.phase) | uint32_t(state.negative) << 2 |
                           uint32_t(state.nonzero) << 3 | uint32_t(state.order + 1) << 4;
    return intern({.kind = Kind::number, .nullable = passes(tests_[test], state), .searched = true,
                   .a = test, .b = flags, .c = state.position, .value = state.remainder});
}

uint32_t Expressions::add_rule(Rules* rules, uint32_t key) {
    rules_.push_back({.rules = rules, .key = key});
    return uint32_t(rules_.size() - 1);
}

void Expressions::set_rule(uint32_t rule, Expr body) {
    rules_[rule].known = true;
    rules_[rule].body = body;
}

Expr Expressions::rule_body(uint32_t rule) {
    if (!rules_[rule].known) {
        const Expr body = rules_[rule].rules->body(rules_[rule].key);
        set_rule(rule, body);
    }
    return rules_[rule].body;
}

Expr Expressions::call(uint32_t rule) { return intern({.kind = Kind::call, .headed = true, .a = rule}); }
Expr Expressions::lazy(uint32_t rule) { return intern({.kind = Kind::lazy, .headed = true, .a = rule}); }
Expr Expressions::token(uint32_t id, bool negated) {
    return intern({.kind = Kind::token, .headed = true, .a = id, .b = negated});
}

}  // namespace ingle::grammar
