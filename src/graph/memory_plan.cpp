#include "graph/memory_plan.h"

#include <algorithm>

namespace ingle::graph {

namespace {

constexpr uint64_t alignment = 64;

struct Lifetime {
    int first = none;  // node that writes it, or -1 for an import
    int last = none;   // last node that reads it
    bool held = false;
};

std::vector<Lifetime> lifetimes(const backend::Segment& segment) {
    std::vector<Lifetime> lives(segment.values.size());
    const int end = int(segment.nodes.size());
    for (const ValueId id : segment.imports) lives[size_t(id)] = {-1, end, true};
    for (int n = 0; n < end; ++n) {
        const Node& node = segment.nodes[size_t(n)];
        for (const ValueId in : node.in) lives[size_t(in)].last = std::max(lives[size_t(in)].last, n);
        for (const ValueId out : node.out) lives[size_t(out)] = {n, n, true};
    }
    for (const ValueId id : segment.exports) lives[size_t(id)].last = end;
    return lives;
}

bool is_like(const Value& a, const Value& b) { return a.rows == b.rows && a.columns == b.columns; }

// The value whose place each one takes: its own, or that of an input that it replaces. `lives` of what is taken become
// those of both.
std::vector<size_t> settle_places(const backend::Segment& segment, std::vector<Lifetime>& lives) {
    std::vector<size_t> place(segment.values.size());
    for (size_t id = 0; id < place.size(); ++id) place[id] = id;
    for (int n = 0; n < int(segment.nodes.size()); ++n) {
        const Node& node = segment.nodes[size_t(n)];
        if (!is_in_place(node.op)) continue;
        const size_t out = size_t(node.out[0]);
        for (const ValueId in : node.in) {
            Lifetime& taken = lives[place[size_t(in)]];
            // Imports and exports last to the end: they are left alone.
            const bool is_free = taken.held && taken.last == n;
            if (!is_free || !is_like(segment.values[size_t(in)], segment.values[out])) continue;
            place[out] = place[size_t(in)];
            taken.last = lives[out].last;
            break;
        }
    }
    return place;
}

struct Placed {
    uint64_t begin;
    uint64_t end;
    Lifetime life;
};

}  // namespace

MemoryPlan plan_memory(const backend::Segment& segment) {
    std::vector<Lifetime> lives = lifetimes(segment);
    const std::vector<size_t> places = settle_places(segment, lives);
    MemoryPlan plan;
    plan.offset_bytes.assign(segment.values.size(), none);
    std::vector<size_t> order;
    const auto bytes_of_value = [&](size_t id) {
        const Value& value = segment.values[id];
        const int64_t rows =
            value.rows == Rows::tokens ? segment.tokens_max : segment.outputs_max;
        return (uint64_t(rows * value.columns) * sizeof(float) + alignment - 1) / alignment *
               alignment;
    };
    for (size_t id = 0; id < lives.size(); ++id)
        if (lives[id].held && places[id] == id) order.push_back(id);
    // Largest first, each at the lowest place free for its whole life.
    std::ranges::stable_sort(order, [&](size_t a, size_t b) {
        return bytes_of_value(a) > bytes_of_value(b);
    });
    std::vector<Placed> placed;  // by begin
    for (const size_t id : order) {
        const uint64_t size = bytes_of_value(id);
        uint64_t at = 0;
        for (const Placed& other : placed) {
            const bool together =
                other.life.first <= lives[id].last && lives[id].first <= other.life.last;
            if (!together) continue;
            if (at + size <= other.begin) break;
            at = std::max(at, other.end);
        }
        plan.offset_bytes[id] = int64_t(at);
        plan.bytes = std::max(plan.bytes, at + size);
        const Placed mine{at, at + size, lives[id]};
        placed.insert(std::ranges::upper_bound(placed, at, {}, &Placed::begin), mine);
    }
    for (size_t id = 0; id < lives.size(); ++id)
        if (lives[id].held) plan.offset_bytes[id] = plan.offset_bytes[places[id]];
    return plan;
}

}  // namespace ingle::graph
