// Which pages of a sequence the layers with a sliding window still need.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ingle::kv {

struct Window {
    int64_t tokens = 0;  // that a query sees at most, itself among them; 0: all, and nothing is ever dropped
    int64_t page_tokens = 32;
    int64_t slack = 64;  // tokens kept longer, so that who goes back a few finds what it needs

    // The first page that a query at position `length` sees.
    int64_t first_seen(int64_t length) const {
        return tokens == 0 ? 0 : std::max<int64_t>(0, length - tokens + 1) / page_tokens;
    }
    // The first page kept of so many tokens.
    int64_t first_kept(int64_t length) const {
        return first_seen(std::max<int64_t>(0, length - slack));
    }
    // Kept of one sequence at most: those, cut anywhere, the page that is being written and one that is being copied.
    int64_t pages_max() const { return (tokens + slack + page_tokens - 1) / page_tokens + 2; }
};

}  // namespace ingle::kv
