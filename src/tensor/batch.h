// What changes from call to call: the tokens, their positions, the sequences they belong to, and which rows want an
// output.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "tensor/page_table.h"

namespace ingle {

using Token = int32_t;

// The leading dimension of an activation is symbolic until a call fixes it.
enum class Rows : uint8_t {
    tokens,   // one row per token of the call
    outputs,  // one row per token whose logits are wanted
};

// The rows of one sequence: tokens [first, first + count), of which the outputs [first_output, first_output + outputs)
// are taken.
struct SequenceRows {
    PageTable pages;  // covers every position of the rows
    int32_t first = 0;
    int32_t count = 0;
    int32_t first_output = 0;
    int32_t outputs = 0;
    // Layers with a window see no token before this one, though a shift may have moved it near: it is gone there.
    int32_t first_windowed = 0;

    int64_t begin(Rows rows) const { return rows == Rows::tokens ? first : first_output; }
    int64_t size(Rows rows) const { return rows == Rows::tokens ? count : outputs; }
    int64_t end(Rows rows) const { return begin(rows) + size(rows); }
};

struct Batch {
    std::span<const Token> tokens;
    std::span<const int32_t> positions;  // of the same length, ascending within a sequence
    std::span<const int32_t> outputs;    // rows into `tokens`, ascending
    std::span<const SequenceRows> sequences = {};  // in the order of their rows; none if nothing is cached

    int64_t count(Rows rows) const {
        return int64_t(rows == Rows::tokens ? tokens.size() : outputs.size());
    }
    // The row of `tokens` that row r of a value stands for.
    int64_t token_row(Rows rows, int64_t r) const {
        return rows == Rows::tokens ? r : outputs[size_t(r)];
    }
    int32_t position(Rows rows, int64_t r) const { return positions[size_t(token_row(rows, r))]; }
    // The sequence that row r belongs to.
    const SequenceRows& sequence(Rows rows, int64_t r) const {
        return *std::ranges::upper_bound(
            sequences, r, {}, [rows](const SequenceRows& each) { return each.end(rows); });
    }
};

}  // namespace ingle
