// Derivatives, liveness and heads of expressions.
#include <algorithm>
#include <deque>

#include "grammar/expression.h"

namespace ingle::grammar {

Expr Expressions::step(Expr state, uint8_t byte) { return derive(state, byte, false); }

Expr Expressions::step(Expr state, std::string_view text) {
    for (const char c : text) {
        if (state == none) break;
        state = derive(state, uint8_t(c), false);
    }
    return state;
}

// `raw` derivatives may be dead; the search for liveness runs on them.
Expr Expressions::derive(Expr state, uint8_t byte, bool raw) {
    const Node& node = nodes_[state];
    if (node.kind == Kind::none || node.kind == Kind::epsilon) return none;
    if (node.kind == Kind::bytes) return sets_[node.a].test(byte) ? epsilon : none;
    if (state == anything) return anything;
    raw = raw && node.searched;
    const uint64_t key = uint64_t(state) << 9 | uint64_t(byte) << 1 | uint64_t(raw);
    if (const auto known = steps_.find(key); known != steps_.end()) return known->second;
    const bool pruned = !raw && (node.kind == Kind::both || node.kind == Kind::negation ||
                                 node.kind == Kind::number);
    Expr next = compute(state, byte, raw || pruned);
    if (pruned && !live(next)) next = none;
    if (steps_.size() >= steps_max) steps_.clear();
    steps_.emplace(key, next);
    return next;
}

Expr Expressions::compute(Expr state, uint8_t byte, bool raw) {
    const Node node = nodes_[state];
    switch (node.kind) {
        case Kind::concat: {
            const Expr through = concat(derive(node.a, byte, raw), node.b);
            if (!nodes_[node.a].nullable) return through;
            return either({through, derive(node.b, byte, raw)});
        }
        case Kind::either:
        case Kind::both: {
            std::vector<Expr> parts = parts_of(state);
            for (Expr& part : parts) {
                part = derive(part, byte, raw);
                if (node.kind == Kind::both && part == none) return none;
            }
            return node.kind == Kind::both ? both(std::move(parts)) : either(std::move(parts));
        }
        case Kind::negation: return negation(derive(node.a, byte, raw));
        case Kind::repeat: {
            const uint32_t max = node.d == unlimited ? unlimited : node.d - 1;
            return concat(derive(node.a, byte, raw),
                          repeat(node.a, node.c == 0 ? 0 : node.c - 1, max));
        }
        case Kind::lazy: return derive(rule_body(node.a), byte, raw);
        case Kind::number: {
            NumberState now;
            now.phase = NumberState::Phase(node.b & 3);
            now.negative = (node.b >> 2 & 1) != 0;
            now.nonzero = (node.b >> 3 & 1) != 0;
            now.order = int8_t(int(node.b >> 4 & 3) - 1);
            now.position = node.c;
            now.remainder = node.value;
            const auto next = advance(tests_[node.a], now, byte);
            return next ? number_state(node.a, *next) : none;
        }
        case Kind::json_text: return step_text(node, byte);
        default: return none;
    }
}

const ByteSet& Expressions::borders(Expr state) {
    const auto known = borders_.find(state);
    if (known != borders_.end()) return known->second;
    const ByteSet found = find_borders(state);
    return borders_.emplace(state, found).first->second;
}

ByteSet Expressions::find_borders(Expr state) {
    const Node node = nodes_[state];
    ByteSet out;
    out.set(0);
    switch (node.kind) {
        case Kind::bytes:
            for (size_t b = 1; b < 256; ++b)
                if (sets_[node.a].test(b) != sets_[node.a].test(b - 1)) out.set(b);
            break;
        case Kind::concat:
            out |= borders(node.a);
            if (nodes_[node.a].nullable) out |= borders(node.b);
            break;
        case Kind::either:
        case Kind::both:
            for (const Expr part : parts_of(state)) out |= borders(part);
            break;
        case Kind::negation:
        case Kind::repeat: out |= borders(node.a); break;
        case Kind::lazy: out |= borders(rule_body(node.a)); break;
        case Kind::number:
            for (size_t b = '-'; b <= '9' + 1; ++b) out.set(b);
            break;
        case Kind::json_text: out |= text_borders(node); break;
        default: break;
    }
    return out;
}

bool Expressions::live(Expr state) {
    const Node& node = nodes_[state];
    if (state == none) return false;
    if (node.nullable || !node.searched) return true;
    if (const auto known = live_.find(state); known != live_.end()) return known->second;
    std::deque<Expr> queue = {state};
    std::unordered_map<Expr, Expr> reached_from = {{state, none}};
    while (!queue.empty()) {
        const Expr now = queue.front();
        queue.pop_front();
        const ByteSet starts = borders(now);
        for (size_t b = 0; b < 256; ++b) {
            if (!starts.test(b)) continue;
            const Expr next = derive(now, uint8_t(b), true);
            if (next == none || reached_from.contains(next)) continue;
            const auto known = live_.find(next);
            if (known != live_.end() && !known->second) continue;
            reached_from.emplace(next, now);
            if (nodes_[next].nullable || !nodes_[next].searched || known != live_.end()) {
                for (Expr e = next; e != none; e = reached_from[e]) live_[e] = true;
                return true;
            }
            queue.push_back(next);
        }
        if (reached_from.size() > search_max_) {
            // Not known; what was found live before stays so, and with it a way to the end.
            exhausted_ = true;
            return live_[state] = false;
        }
    }
    for (const auto& [dead, from] : reached_from) live_[dead] = false;
    return false;
}

bool Expressions::has_bytes(Expr state) {
    const Node node = nodes_[state];
    switch (node.kind) {
        case Kind::none:
        case Kind::epsilon:
        case Kind::call:
        case Kind::token: return false;
        case Kind::concat:
            return has_bytes(node.a) || (nodes_[node.a].nullable && has_bytes(node.b));
        case Kind::either:
            for (const Expr part : parts_of(state))
                if (has_bytes(part)) return true;
            return false;
        case Kind::repeat: return has_bytes(node.a);
        case Kind::lazy: return has_bytes(rule_body(node.a));
        default: return true;
    }
}

const std::vector<Head>& Expressions::heads(Expr state) {
    const auto known = heads_.find(state);
    if (known != heads_.end()) return known->second;
    std::vector<Head> found = find_heads(state);
    return heads_.emplace(state, std::move(found)).first->second;
}

std::vector<Head> Expressions::find_heads(Expr state) {
    const Node node = nodes_[state];
    std::vector<Head> out;
    const auto add = [&](const std::vector<Head>& more, Expr after) {
        for (Head head : more) {
            head.rest = concat(head.rest, after);
            const auto same = std::find_if(out.begin(), out.end(), [&](const Head& other) {
                return other.is_token == head.is_token && other.negated == head.negated &&
                       other.target == head.target;
            });
            if (same == out.end()) out.push_back(head);
            else same->rest = either({same->rest, head.rest});
        }
    };
    switch (node.kind) {
        case Kind::call: out.push_back({.target = node.a}); break;
        case Kind::token:
            out.push_back({.is_token = true, .negated = node.b != 0, .target = node.a});
            break;
        case Kind::lazy: add(heads(rule_body(node.a)), epsilon); break;
        case Kind::concat:
            add(std::vector<Head>(heads(node.a)), node.b);
            if (nodes_[node.a].nullable) add(std::vector<Head>(heads(node.b)), epsilon);
            break;
        case Kind::repeat: {
            const uint32_t max = node.d == unlimited ? unlimited : node.d - 1;
            add(std::vector<Head>(heads(node.a)),
                repeat(node.a, node.c == 0 ? 0 : node.c - 1, max));
            break;
        }
        case Kind::either:
            for (const Expr part : parts_of(state)) add(std::vector<Head>(heads(part)), epsilon);
            break;
        default: break;
    }
    return out;
}

Expr Expressions::without_byte(Expr state, uint8_t last) {
    const Node node = nodes_[state];
    switch (node.kind) {
        case Kind::bytes: {
            ByteSet set = sets_[node.a];
            set.reset(last);
            return bytes(set);
        }
        case Kind::concat: {
            const Expr first = without_byte(node.a, last);
            return concat(first, without_byte(node.b, last));
        }
        case Kind::repeat: return repeat(without_byte(node.a, last), node.c, node.d);
        case Kind::negation: return state == anything ? state : negation(without_byte(node.a, last));
        case Kind::either:
        case Kind::both: {
            std::vector<Expr> parts = parts_of(state);
            for (Expr& part : parts) part = without_byte(part, last);
            return node.kind == Kind::either ? either(std::move(parts)) : both(std::move(parts));
        }
        default: return state;
    }
}

Expr Expressions::before_byte(Expr state, uint8_t last) {
    const Node node = nodes_[state];
    switch (node.kind) {
        case Kind::bytes: return sets_[node.a].test(last) ? epsilon : none;
        case Kind::concat: {
            const Expr late = concat(without_byte(node.a, last), before_byte(node.b, last));
            if (!nodes_[node.b].nullable) return late;
            return either({late, before_byte(node.a, last)});
        }
        case Kind::repeat: {
            const uint32_t max = node.d == unlimited ? unlimited : node.d - 1;
            const Expr front = repeat(without_byte(node.a, last), node.c == 0 ? 0 : node.c - 1, max);
            return concat(front, before_byte(node.a, last));
        }
        case Kind::negation: return state == anything ? state : negation(before_byte(node.a, last));
        case Kind::either:
        case Kind::both: {
            std::vector<Expr> parts = parts_of(state);
            for (Expr& part : parts) part = before_byte(part, last);
            return node.kind == Kind::either ? either(std::move(parts)) : both(std::move(parts));
        }
        default: return none;
    }
}

}  // namespace ingle::grammar
