#include "grammar/schema/array_form.h"

#include <algorithm>

namespace ingle::grammar {

namespace {

constexpr size_t demands_max = 8;
constexpr uint32_t index_limit = 1000;  // with demands for some items

}  // namespace

ArrayForm::ArrayForm(NormalForms& forms, ArrayGroup group)
    : forms_(forms), group_(std::move(group)) {
    for (const auto* demands : {&group_.all, &group_.any, &group_.few})
        for (const ArrayGroup::Demand& demand : *demands) {
            alike_from_ = std::max(alike_from_, demand.from);
            if (demand.to != unlimited) alike_from_ = std::max(alike_from_, demand.to);
        }
    index_max_ = std::max({alike_from_, group_.min, group_.max == unlimited ? 0 : group_.max});
    const size_t demands = group_.any.size() + group_.few.size();
    if (demands > demands_max) {
        forms.refuse("contains: more than ", demands_max, " demands for some item at once");
        group_.any.clear();
        group_.few.clear();
    }
    // Without an end of its own an array with demands is searched up to where its items are alike.
    if (demands > 0 && std::max(alike_from_, group_.min) > index_limit)
        forms.refuse("contains: together with more than ", index_limit, " items that are told apart");
}

Formula ArrayForm::common(uint32_t index) const {
    std::vector<Formula> parts;
    for (const ArrayGroup::Demand& demand : group_.all)
        if (demand.from <= index && index < demand.to) parts.push_back(demand.value);
    return forms_.formulas().all_of(std::move(parts));
}

std::vector<ArrayForm::Way> ArrayForm::ways(const State& state) const {
    const uint32_t index = state[0];
    Formulas& f = forms_.formulas();
    std::vector<Way> out = {{common(index), state}};
    out[0].next[0] = std::min(index + 1, index_max_);
    const size_t any = group_.any.size();
    for (size_t i = 0; i < any + group_.few.size(); ++i) {
        const bool is_any = i < any;
        const ArrayGroup::Demand& demand = is_any ? group_.any[i] : group_.few[i - any];
        if (index < demand.from || index >= demand.to) continue;
        if (is_any && state[i + 1] >= demand.count) continue;
        std::vector<Way> more;
        for (const Way& way : out) {
            if (state[i + 1] < demand.count) {
                Way met{f.all_of({way.value, demand.value}), way.next};
                ++met.next[i + 1];
                more.push_back(std::move(met));
            }
            // What need not be met may be met all the same; what must not be counted may not.
            more.push_back(is_any ? way : Way{f.all_of({way.value, f.negation(demand.value)}), way.next});
        }
        out = std::move(more);
    }
    return out;
}

void ArrayForm::values(std::vector<Formula>& out) const {
    std::vector<uint32_t> indices = {0, alike_from_};
    for (const auto* demands : {&group_.all, &group_.any, &group_.few})
        for (const ArrayGroup::Demand& demand : *demands) {
            indices.push_back(demand.from);
            if (demand.to != unlimited) indices.push_back(demand.to);
        }
    State state(1 + group_.any.size() + group_.few.size());
    for (const uint32_t index : indices) {
        if (index >= group_.max) continue;
        state[0] = index;
        for (const Way& way : ways(state)) out.push_back(way.value);
    }
    // As if every demand were met, too.
    for (size_t i = 0; i < group_.any.size(); ++i) state[i + 1] = group_.any[i].count;
    for (size_t i = 0; i < group_.few.size(); ++i)
        state[1 + group_.any.size() + i] = group_.few[i].count;
    for (const uint32_t index : indices) {
        if (index >= group_.max) continue;
        state[0] = index;
        for (const Way& way : ways(state)) out.push_back(way.value);
    }
}

uint32_t ArrayForm::intern(State state) {
    const auto [place, added] = ids_.try_emplace(state, uint32_t(states_.size()));
    if (added) {
        rules_.push_back(forms_.expressions().add_rule(this, uint32_t(states_.size())));
        states_.push_back(std::move(state));
    }
    return place->second;
}

bool ArrayForm::can_end(const State& state) const {
    for (size_t i = 0; i < group_.any.size(); ++i)
        if (state[i + 1] < group_.any[i].count) return false;
    return state[0] >= group_.min;
}

bool ArrayForm::can_finish(const State& state) {
    if (can_end(state)) return true;
    if (state[0] >= group_.max) return false;
    if (const auto known = finishes_.find(state); known != finishes_.end()) return known->second;
    bool found = false;
    if (group_.any.empty() && group_.few.empty()) {
        found = true;
        for (uint32_t i = state[0]; found && i < group_.min && i <= alike_from_; ++i)
            found = forms_.satisfiable(common(i), false);
    } else {
        if (asked_[state]) return false;
        asked_[state] = true;
        for (const Way& way : ways(state))
            if (forms_.satisfiable(way.value, false) && can_finish(way.next)) {
                found = true;
                break;
            }
        asked_[state] = false;
    }
    if (found || !forms_.asking()) finishes_[state] = found;
    return found;
}

bool ArrayForm::possible() {
    return can_finish(State(1 + group_.any.size() + group_.few.size()));
}

Expr ArrayForm::start() {
    Expressions& e = forms_.expressions();
    const uint32_t state = intern(State(1 + group_.any.size() + group_.few.size()));
    if (!can_finish(states_[state])) return none;
    const Expr close = can_end(states_[state]) ? e.byte(']') : none;
    return e.concat({e.byte('['), forms_.space(), e.either({close, items(state)})});
}

Expr ArrayForm::body(uint32_t state) {
    Expressions& e = forms_.expressions();
    const Expr close = can_end(states_[state]) ? e.byte(']') : none;
    const Expr more = items(state);
    return e.either({close, e.concat({e.byte(','), forms_.space(), more})});
}

Expr ArrayForm::items(uint32_t id) {
    Expressions& e = forms_.expressions();
    const State state = states_[id];
    if (state[0] >= group_.max) return none;
    std::vector<Expr> out;
    for (const Way& way : ways(state))
        if (forms_.satisfiable(way.value, false) && can_finish(way.next))
            out.push_back(e.concat({e.call(forms_.rule(way.value)), forms_.space(),
                                    e.lazy(rules_[intern(way.next)])}));
    return e.either(std::move(out));
}

}  // namespace ingle::grammar
