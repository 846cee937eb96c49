#include "grammar/gbnf/rules.h"

#include <algorithm>

namespace ingle::grammar {

namespace {

constexpr size_t small_states = 24;

}  // namespace

size_t GbnfRules::find_or_add(std::string_view name) {
    const auto [place, added] = places_.try_emplace(std::string(name), rules_.size());
    if (added) rules_.push_back({.name = std::string(name), .id = pool_.add_rule(nullptr, 0)});
    return place->second;
}

Expr GbnfRules::reference(std::string_view name) { return pool_.call(rules_[find_or_add(name)].id); }

Status GbnfRules::define(std::string_view name, Expr body) {
    Rule& rule = rules_[find_or_add(name)];
    rule.defined = true;
    rule.body = body;
    return pool_.status();
}

std::vector<uint32_t> GbnfRules::own_calls_in(Expr body) const {
    std::vector<uint32_t> calls = pool_.calls_in(body);
    std::erase_if(calls, [this](uint32_t id) { return !is_own(id); });
    return calls;
}

template <class Holds>
std::vector<bool> GbnfRules::least(bool of_others, Holds holds) const {
    std::vector<std::vector<size_t>> callers(rules_.size());
    std::vector<size_t> work;
    for (size_t i = 0; i < rules_.size(); ++i) {
        work.push_back(i);
        for (const uint32_t id : own_calls_in(rules_[i].body)) callers[index_of(id)].push_back(i);
    }
    std::vector<bool> known(rules_.size());
    while (!work.empty()) {
        const size_t i = work.back();
        work.pop_back();
        const auto is_known = [&](uint32_t id) { return is_own(id) ? bool(known[index_of(id)]) : of_others; };
        if (known[i] || !holds(rules_[i].body, is_known)) continue;
        known[i] = true;
        work.insert(work.end(), callers[i].begin(), callers[i].end());
    }
    return known;
}

Status GbnfRules::check_left_recursion() const {
    const std::vector<bool> nullable = least(
        false, [this](Expr body, auto known) { return pool_.nullable_if(body, known); });
    const auto is_nullable = [&](uint32_t id) { return is_own(id) && nullable[index_of(id)]; };
    enum : uint8_t { fresh, open, done };
    std::vector<uint8_t> colour(rules_.size(), fresh);
    struct Visit {
        size_t rule;
        std::vector<uint32_t> calls;
    };
    for (size_t start = 0; start < rules_.size(); ++start) {
        std::vector<Visit> path;
        const auto enter = [&](size_t rule) {
            colour[rule] = open;
            path.push_back({rule, {}});
            pool_.first_calls(rules_[rule].body, is_nullable, path.back().calls);
            std::erase_if(path.back().calls, [this](uint32_t id) { return !is_own(id); });
        };
        if (colour[start] == fresh) enter(start);
        while (!path.empty()) {
            Visit& visit = path.back();
            if (visit.calls.empty()) {
                colour[visit.rule] = done;
                path.pop_back();
                continue;
            }
            const size_t next = index_of(visit.calls.back());
            visit.calls.pop_back();
            if (colour[next] == open)
                return fail(Code::invalid_argument, "grammar: left recursion: the rule ",
                            quoted(rules_[next].name), " can begin with itself");
            if (colour[next] == fresh) enter(next);
        }
    }
    return {};
}

bool GbnfRules::is_small(Expr body) {
    if (pool_.has_heads(body)) return false;
    std::vector<Expr> found = {body};
    for (size_t i = 0; i < found.size(); ++i) {
        for (int b = 0; b < 256; ++b) {
            const Expr next = pool_.step(found[i], uint8_t(b));
            if (std::find(found.begin(), found.end(), next) != found.end()) continue;
            if (found.size() == small_states) return false;
            found.push_back(next);
        }
    }
    return true;
}

// In an order in which every rule comes after those it calls; rules that call themselves stay.
void GbnfRules::write_out_small_rules() {
    std::vector<std::vector<size_t>> callers(rules_.size());
    std::vector<size_t> waiting(rules_.size()), ready;
    for (size_t i = 0; i < rules_.size(); ++i) {
        const auto calls = own_calls_in(rules_[i].body);
        waiting[i] = calls.size();
        if (calls.empty()) ready.push_back(i);
        for (const uint32_t id : calls) callers[index_of(id)].push_back(i);
    }
    std::vector<Expr> small(rules_.size(), none);
    const auto replace = [&](uint32_t id) { return is_own(id) ? small[index_of(id)] : none; };
    while (!ready.empty()) {
        const size_t i = ready.back();
        ready.pop_back();
        rules_[i].body = pool_.substitute(rules_[i].body, replace);
        if (is_small(rules_[i].body)) small[i] = rules_[i].body;
        for (const size_t caller : callers[i])
            if (--waiting[caller] == 0) ready.push_back(caller);
    }
    for (size_t i = 0; i < rules_.size(); ++i)
        if (waiting[i] > 0) rules_[i].body = pool_.substitute(rules_[i].body, replace);
}

Result<Expr> GbnfRules::finish(std::string_view root) {
    const auto found = places_.find(std::string(root));
    if (found == places_.end() || !rules_[found->second].defined)
        return fail(Code::invalid_argument, "grammar: no rule ", quoted(root), ", where it begins");
    for (const Rule& rule : rules_)
        if (!rule.defined)
            return fail(Code::invalid_argument, "grammar: the rule ", quoted(rule.name),
                        " is used but not defined");
    INGLE_TRY(check_left_recursion());
    const std::vector<bool> ends = least(
        true, [this](Expr body, auto known) { return pool_.completable_if(body, known); });
    for (size_t i = 0; i < rules_.size(); ++i)
        if (!ends[i])
            return fail(Code::invalid_argument, "grammar: no text can complete the rule ",
                        quoted(rules_[i].name));
    write_out_small_rules();
    for (const Rule& rule : rules_) pool_.set_rule(rule.id, rule.body);
    INGLE_TRY(pool_.status());
    return rules_[found->second].body;
}

}  // namespace ingle::grammar
