// What changes from call to call: the tokens, their positions, and which rows want an output.
#pragma once

#include <cstdint>
#include <span>

namespace ingle {

using Token = int32_t;

// The leading dimension of an activation is symbolic until a call fixes it.
enum class Rows : uint8_t {
    tokens,   // one row per token of the call
    outputs,  // one row per token whose logits are wanted
};

struct Batch {
    std::span<const Token> tokens;
    std::span<const int32_t> positions;  // of the same length
    std::span<const int32_t> outputs;    // rows into `tokens`, ascending

    int64_t count(Rows rows) const {
        return int64_t(rows == Rows::tokens ? tokens.size() : outputs.size());
    }
    // The row of `tokens` that row r of a value stands for.
    int64_t token_row(Rows rows, int64_t r) const {
        return rows == Rows::tokens ? r : outputs[size_t(r)];
    }
    int32_t position(Rows rows, int64_t r) const { return positions[size_t(token_row(rows, r))]; }
};

}  // namespace ingle
