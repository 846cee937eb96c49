// What goes when a context is full and its sequence is to go on: whole pages, the oldest first. The tokens that stay
// keep their keys and values as they were computed, and move together (PageEntry::shift).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model.h"

namespace ingle {

// Tokens [begin, end).
struct TokenRange {
    int64_t begin = 0;
    int64_t end = 0;
};

struct ShiftOptions {
    int64_t keep_tokens = 0;  // at the start; -1: the prompt. The first page stays in any case: all attend to it most
    int64_t drop_tokens = 0;  // at once; 0: half of what may go. One page's worth: a sliding window
};

// Fails, naming why, if the model's attention depends on absolute positions.
Status can_shift(const Model& model);

// The context that shifts instead of one of `tokens`: whole pages, and at least the first, one that goes and one to write to.
int64_t shifting_context(int64_t tokens, int64_t page_tokens);

// The pages of a sequence of `pages` full ones that go, ascending; never one that holds a pinned token. Fails if there is
// none that may.
Result<std::vector<int64_t>> pages_to_drop(int64_t pages, int64_t page_tokens,
                                           const ShiftOptions& options,
                                           std::span<const TokenRange> pinned);

}  // namespace ingle
