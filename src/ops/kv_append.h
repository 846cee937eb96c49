// KvAppend: writes the call's keys and values into the layer's cache at the tokens' positions.
//
// in: k [tokens, kv_heads * key_dim], v [tokens, kv_heads * value_dim]; out: none.
#pragma once

#include <algorithm>
#include <vector>

#include "ops/support/arguments.h"

namespace ingle::ops {

struct KvAppend {
    static constexpr std::string_view name = "kv_append";
    int64_t kv_heads = 0;
    int64_t key_dim = 0;
    int64_t value_dim = 0;

    static void reference(const KvAppend& op, const Arguments& a, RowRange rows) {
        std::vector<float> turned(size_t(std::max(op.key_dim, op.value_dim)), 0.0f);
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            const int64_t token = a.batch->position(a.rows, r);
            const KvView kv = a.kv_of(r);
            for (int64_t head = 0; head < op.kv_heads; ++head) {
                std::copy_n(a.in[0].row(r).data() + head * op.key_dim, op.key_dim, turned.data());
                hadamard_rows(turned.data(), op.key_dim, kv.key_rotation());
                kv.put_key(head, token, turned.data());
                std::copy_n(a.in[1].row(r).data() + head * op.value_dim, op.value_dim, turned.data());
                hadamard_rows(turned.data(), op.value_dim, kv.value_rotation());
                kv.put_value(head, token, turned.data());
            }
        }
    }
};

}  // namespace ingle::ops
