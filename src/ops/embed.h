// Embed: out[r] = table[token[r]].       weights: table [vocab, width]; out [rows, width]
#pragma once

#include "ops/support/arguments.h"

namespace ingle::ops {

struct Embed {
    static constexpr std::string_view name = "embed";

    static void reference(const Embed&, const Arguments& a, RowRange rows) {
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            const Token token = a.batch->tokens[size_t(a.batch->token_row(a.rows, r))];
            a.weights[0]->decode_row(token, a.out[0].row(r).data());
        }
    }
};

}  // namespace ingle::ops
