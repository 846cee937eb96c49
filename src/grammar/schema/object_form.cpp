#include "grammar/schema/object_form.h"

#include <algorithm>
#include <bit>

#include "grammar/regex/parse.h"

namespace ingle::grammar {

namespace {

constexpr size_t demands_max = 8, regions_max = 300;

}  // namespace

bool contains(Expressions& expressions, const NameSet& names, std::string_view name) {
    if (names.single) return names.name == name;
    return expressions.nullable(expressions.step(names.expression, name));
}

ObjectForm::ObjectForm(NormalForms& forms, ObjectGroup group)
    : forms_(forms), min_(group.min), max_(group.max) {
    for (const ObjectGroup::Demand& demand : group.any) {
        if (forms.formulas().names(demand.names).single) continue;
        demands_.push_back(demand.value);
        demand_names_.push_back(demand.names);
    }
    if (demands_.size() > demands_max) {
        forms.refuse("more than ", demands_max, " demands for some property at once");
        demands_.resize(demands_max);
    }
    add_named(group);
    add_others(group);
}

void ObjectForm::add_named(const ObjectGroup& group) {
    std::map<std::string, size_t> places;
    const auto class_of = [&](const std::string& name) -> Class& {
        const auto [place, added] = places.try_emplace(name, classes_.size());
        if (added) {
            classes_.push_back({.single = true, .name = name,
                                .characters = forms_.expressions().literal(name),
                                .text = forms_.json_literal(name)});
            std::vector<Formula> value;
            for (const ObjectGroup::Demand& demand : group.all)
                if (contains(forms_.expressions(), forms_.formulas().names(demand.names), name))
                    value.push_back(demand.value);
            classes_.back().value = forms_.formulas().all_of(std::move(value));
            for (size_t i = 0; i < demands_.size(); ++i)
                if (contains(forms_.expressions(), forms_.formulas().names(demand_names_[i]), name))
                    classes_.back().witnesses |= 1u << i;
        }
        return classes_[place->second];
    };
    for (const ObjectGroup::Demand& demand : group.all) {
        const NameSet names = forms_.formulas().names(demand.names);
        if (names.single) class_of(names.name);
    }
    for (const ObjectGroup::Demand& demand : group.any) {
        const NameSet names = forms_.formulas().names(demand.names);
        if (!names.single) continue;
        Class& named = class_of(names.name);
        named.required = true;
        named.value = forms_.formulas().all_of({named.value, demand.value});
    }
}

// All other names, divided by the sets that they belong to.
void ObjectForm::add_others(const ObjectGroup& group) {
    Expressions& e = forms_.expressions();
    std::vector<Expr> named;
    for (const Class& one : classes_) named.push_back(one.characters);
    std::vector<uint32_t> sets;
    const auto add_set = [&](uint32_t set) {
        if (!forms_.formulas().names(set).single && std::find(sets.begin(), sets.end(), set) == sets.end())
            sets.push_back(set);
    };
    for (const ObjectGroup::Demand& demand : group.all) add_set(demand.names);
    for (const uint32_t set : demand_names_) add_set(set);
    struct Region {
        Expr characters;
        std::vector<bool> in;
    };
    const Expr every = named.empty() ? any_text(e)
                                     : e.both({any_text(e), e.negation(e.either(std::move(named)))});
    std::vector<Region> regions = {{every, {}}};
    for (const uint32_t set : sets) {
        std::vector<Region> divided;
        const Expr names = forms_.formulas().names(set).expression;
        for (const Region& region : regions) {
            for (const bool in : {true, false}) {
                const Expr part = e.both({region.characters, in ? names : e.negation(names)});
                if (!e.live(part)) continue;
                divided.push_back({part, region.in});
                divided.back().in.push_back(in);
            }
        }
        regions = std::move(divided);
        if (regions.size() > regions_max)
            return forms_.refuse("patternProperties: too many patterns that overlap");
    }
    const size_t first = classes_.size();
    for (const Region& region : regions) {
        const auto is_in = [&](uint32_t set) {
            const auto at = std::find(sets.begin(), sets.end(), set);
            return at != sets.end() && region.in[size_t(at - sets.begin())];
        };
        Class made{.single = false, .characters = region.characters};
        std::vector<Formula> value;
        for (const ObjectGroup::Demand& demand : group.all)
            if (is_in(demand.names)) value.push_back(demand.value);
        made.value = forms_.formulas().all_of(std::move(value));
        if (made.value == never) continue;
        for (size_t i = 0; i < demands_.size(); ++i)
            if (is_in(demand_names_[i])) made.witnesses |= 1u << i;
        const auto alike = std::find_if(classes_.begin() + std::ptrdiff_t(first), classes_.end(),
                                        [&](const Class& c) {
                                            return c.value == made.value &&
                                                   c.witnesses == made.witnesses;
                                        });
        if (alike == classes_.end()) classes_.push_back(std::move(made));
        else alike->characters = e.either({alike->characters, made.characters});
    }
    // A rule of its own: masks of its states do not depend on what follows the name.
    for (size_t i = first; i < classes_.size(); ++i) {
        const uint32_t rule = e.add_rule(nullptr, 0);
        e.set_rule(rule, e.json_text(classes_[i].characters));
        classes_[i].text = e.call(rule);
    }
}

Formula ObjectForm::value_of(const Class& names, uint32_t met) const {
    std::vector<Formula> parts = {names.value};
    for (size_t i = 0; i < demands_.size(); ++i)
        if ((met >> i & 1) != 0) parts.push_back(demands_[i]);
    return forms_.formulas().all_of(std::move(parts));
}

void ObjectForm::values(std::vector<Formula>& out) const {
    for (const Class& names : classes_) {
        for (uint32_t met = names.witnesses;; met = (met - 1) & names.witnesses) {
            out.push_back(value_of(names, met));
            if (met == 0) break;
        }
    }
}

uint32_t ObjectForm::intern(State state) {
    const auto [place, added] = ids_.try_emplace(state, uint32_t(states_.size()));
    if (added) {
        rules_.push_back(forms_.expressions().add_rule(this, uint32_t(states_.size())));
        states_.push_back(std::move(state));
    }
    return place->second;
}

ObjectForm::State ObjectForm::after(State state, size_t names, uint32_t met) const {
    if (classes_[names].single) state.seen[names] = true;
    state.open &= ~met;
    // Counted as far as it matters.
    const uint32_t enough = max_ == unlimited ? min_ : max_;
    state.count = std::min(state.count + 1, enough);
    return state;
}

bool ObjectForm::can_end(const State& state) const {
    if (state.open != 0 || state.count < min_) return false;
    for (size_t i = 0; i < classes_.size(); ++i)
        if (classes_[i].required && !state.seen[i]) return false;
    return true;
}

bool ObjectForm::can_finish(const State& state) {
    if (const auto known = finishes_.find(state); known != finishes_.end()) return known->second;
    bool found = false;
    if (state.open == 0) {
        uint32_t missing = 0, available = 0;
        bool endless = false;
        for (size_t i = 0; i < classes_.size(); ++i) {
            if (classes_[i].single && state.seen[i]) continue;
            // What nobody asks for is looked at only where members must be found.
            if (!classes_[i].required && state.count >= min_) continue;
            const bool possible = forms_.satisfiable(classes_[i].value, false);
            if (classes_[i].required && !possible) return false;
            missing += classes_[i].required;
            available += possible && classes_[i].single;
            endless = endless || (possible && !classes_[i].single);
        }
        found = (max_ == unlimited || state.count + missing <= max_) &&
                (endless || state.count + available >= min_);
    } else if (max_ == unlimited || state.count < max_) {
        const int demand = std::countr_zero(state.open);
        for (size_t i = 0; i < classes_.size() && !found; ++i) {
            const Class& names = classes_[i];
            if ((names.witnesses >> demand & 1) == 0 || (names.single && state.seen[i])) continue;
            const uint32_t could = names.witnesses & state.open;
            for (uint32_t met = could; met != 0 && !found; met = (met - 1) & could)
                found = (met >> demand & 1) != 0 &&
                        forms_.satisfiable(value_of(names, met), false) &&
                        can_finish(after(state, i, met));
        }
    }
    // A "no" may rest on questions that are still open; only a "yes" is kept while they are.
    if (found || !forms_.asking()) finishes_[state] = found;
    return found;
}

bool ObjectForm::possible() {
    State state{.seen = std::vector<bool>(classes_.size()),
                .open = (1u << demands_.size()) - 1};
    return can_finish(state);
}

Expr ObjectForm::start() {
    Expressions& e = forms_.expressions();
    const uint32_t state = intern({.seen = std::vector<bool>(classes_.size()),
                                   .open = (1u << demands_.size()) - 1});
    if (!can_finish(states_[state])) return none;
    const Expr close = can_end(states_[state]) ? e.byte('}') : none;
    return e.concat({e.byte('{'), forms_.space(), e.either({close, members(state)})});
}

Expr ObjectForm::body(uint32_t state) {
    Expressions& e = forms_.expressions();
    const Expr close = can_end(states_[state]) ? e.byte('}') : none;
    const Expr more = members(state);
    return e.either({close, e.concat({e.byte(','), forms_.space(), more})});
}

Expr ObjectForm::members(uint32_t id) {
    Expressions& e = forms_.expressions();
    const State state = states_[id];
    if (max_ != unlimited && state.count >= max_) return none;
    std::vector<Expr> out;
    for (size_t i = 0; i < classes_.size(); ++i) {
        const Class& names = classes_[i];
        if (names.single && state.seen[i]) continue;
        const uint32_t could = names.witnesses & state.open;
        for (uint32_t met = could;; met = (met - 1) & could) {
            const Formula value = value_of(names, met);
            const State next = after(state, i, met);
            if (forms_.satisfiable(value, false) && can_finish(next))
                out.push_back(e.concat({names.text, forms_.space(), e.byte(':'), forms_.space(),
                                        e.call(forms_.rule(value)), forms_.space(),
                                        e.lazy(rules_[intern(next)])}));
            if (met == 0) break;
        }
    }
    return e.either(std::move(out));
}

}  // namespace ingle::grammar
