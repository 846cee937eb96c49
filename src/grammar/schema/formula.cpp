#include "grammar/schema/formula.h"

#include <algorithm>

namespace ingle::grammar {

using Says = FormulaNode::Kind;

Formulas::Formulas() {
    atom({.kind = Says::never});
    atom({.kind = Says::always});
}

Formula Formulas::atom(FormulaNode node) {
    const auto [place, added] = known_.try_emplace(node, Formula(nodes_.size()));
    if (added) nodes_.push_back(std::move(node));
    return place->second;
}

Formula Formulas::types(uint32_t bits) {
    if (bits == 0) return never;
    return bits == every_type ? always : atom({.kind = Says::types, .a = bits});
}

Formula Formulas::all_of(std::vector<Formula> parts) {
    std::vector<Formula> flat;
    uint32_t bits = every_type;
    for (const Formula part : parts) {
        const FormulaNode& node = nodes_[part];
        if (part == never) return never;
        if (part == always) continue;
        if (node.kind == Says::types) bits &= node.a;
        else if (node.kind != Says::all_of) flat.push_back(part);
        else
            for (const Formula inner : node.parts) {
                if (nodes_[inner].kind == Says::types) bits &= nodes_[inner].a;
                else flat.push_back(inner);
            }
    }
    if (bits != every_type) flat.push_back(types(bits));
    std::sort(flat.begin(), flat.end());
    flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
    if (flat.empty()) return always;
    if (flat.front() == never) return never;
    for (const Formula part : flat)
        if (nodes_[part].kind == Says::negation &&
            std::binary_search(flat.begin(), flat.end(), nodes_[part].a))
            return never;
    return flat.size() == 1 ? flat[0] : atom({.kind = Says::all_of, .parts = std::move(flat)});
}

Formula Formulas::any_of(std::vector<Formula> parts) {
    std::vector<Formula> flat;
    for (const Formula part : parts) {
        if (part == always) return always;
        if (part == never) continue;
        if (nodes_[part].kind != Says::any_of) flat.push_back(part);
        else flat.insert(flat.end(), nodes_[part].parts.begin(), nodes_[part].parts.end());
    }
    std::sort(flat.begin(), flat.end());
    flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
    if (flat.empty()) return never;
    return flat.size() == 1 ? flat[0] : atom({.kind = Says::any_of, .parts = std::move(flat)});
}

Formula Formulas::negation(Formula part) {
    if (part == never) return always;
    if (part == always) return never;
    if (nodes_[part].kind == Says::negation) return nodes_[part].a;
    if (nodes_[part].kind == Says::types) return types(every_type & ~nodes_[part].a);
    return atom({.kind = Says::negation, .a = part});
}

uint32_t Formulas::name_set(NameSet names) {
    const auto [place, added] = known_names_.try_emplace(names, uint32_t(name_sets_.size()));
    if (added) name_sets_.push_back(std::move(names));
    return place->second;
}

uint32_t Formulas::add_target() {
    targets_.push_back(always);
    return uint32_t(targets_.size() - 1);
}

}  // namespace ingle::grammar
