// The heart of byte pair encoding: merge the best adjacent pair until none is left; among equals
// the leftmost goes first. Two ways with the same result:
//   merge_scanning   looks through all pairs each time: n^2 steps, no set-up, best for words
//   merge_queued     a priority queue over a linked list: n log n, for texts of any length
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "tokenizer/vocabulary.h"

namespace ingle::tokenizer {

inline constexpr uint32_t no_merge = UINT32_MAX;

// What a pair becomes; the smallest key is merged first.
struct Merge {
    uint32_t key = no_merge;
    Token merged = no_token;
};

struct Symbol {
    Token id = no_token;
    uint32_t begin = 0;  // bytes of the text it stands for
    uint32_t length = 0;
    Merge with_next = {};
};

// `pair(left, right)` gives the Merge of two neighbours. `symbols` shrinks to what is left.
template <class Pair>
void merge_scanning(std::vector<Symbol>& symbols, const Pair& pair) {
    const auto update = [&](size_t i) {
        symbols[i].with_next = i + 1 < symbols.size() ? pair(symbols[i], symbols[i + 1]) : Merge{};
    };
    for (size_t i = 0; i < symbols.size(); ++i) update(i);
    while (symbols.size() > 1) {
        const auto best = std::min_element(symbols.begin(), symbols.end(), [](auto& a, auto& b) {
            return a.with_next.key < b.with_next.key;
        });
        if (best->with_next.key == no_merge) return;
        best->id = best->with_next.merged;
        best->length += best[1].length;
        const size_t at = size_t(best - symbols.begin());
        symbols.erase(best + 1);
        update(at);
        if (at > 0) update(at - 1);
    }
}

template <class Pair>
void merge_queued(std::vector<Symbol>& symbols, const Pair& pair) {
    constexpr uint32_t none = UINT32_MAX;
    const uint32_t count = uint32_t(symbols.size());
    std::vector<uint32_t> previous(count), next(count);
    // key << 32 | place; entries of pairs that have changed are skipped when they come up.
    std::vector<uint64_t> storage;
    storage.reserve(count);
    std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> queue({},
                                                                               std::move(storage));
    const auto update = [&](uint32_t i) {
        symbols[i].with_next = next[i] != none ? pair(symbols[i], symbols[next[i]]) : Merge{};
        if (symbols[i].with_next.key != no_merge)
            queue.push(uint64_t(symbols[i].with_next.key) << 32 | i);
    };
    for (uint32_t i = 0; i < count; ++i) {
        previous[i] = i - 1;  // none for the first
        next[i] = i + 1 < count ? i + 1 : none;
    }
    for (uint32_t i = 0; i < count; ++i) update(i);
    while (!queue.empty()) {
        const uint32_t key = uint32_t(queue.top() >> 32), at = uint32_t(queue.top());
        queue.pop();
        Symbol& left = symbols[at];
        if (left.length == 0 || left.with_next.key != key) continue;
        Symbol& right = symbols[next[at]];
        left.id = left.with_next.merged;
        left.length += right.length;
        right.length = 0;
        next[at] = next[next[at]];
        if (next[at] != none) previous[next[at]] = at;
        update(at);
        if (previous[at] != none) update(previous[at]);
    }
    std::erase_if(symbols, [](const Symbol& symbol) { return symbol.length == 0; });
}

template <class Pair>
void merge(std::vector<Symbol>& symbols, const Pair& pair) {
    constexpr size_t scanning_max = 40;  // about where the two take the same time
    symbols.size() <= scanning_max ? merge_scanning(symbols, pair) : merge_queued(symbols, pair);
}

}  // namespace ingle::tokenizer
