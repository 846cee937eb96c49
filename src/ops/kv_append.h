// KvAppend: writes the call's keys and values into the layer's cache at the tokens' positions.
//
// in: k [tokens, kv_heads * key_dim], v [tokens, kv_heads * value_dim]; out: none.
#pragma once

#include "ops/support/arguments.h"

namespace ingle::ops {

struct KvAppend {
    static constexpr std::string_view name = "kv_append";
    int64_t kv_heads = 0;
    int64_t key_dim = 0;
    int64_t value_dim = 0;

    static void reference(const KvAppend& op, const Arguments& a, RowRange rows) {
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            const int64_t token = a.batch->position(a.rows, r);
            const KvView kv = a.kv_of(r);
            const float* k = a.in[0].row(r).data();
            const float* v = a.in[1].row(r).data();
            for (int64_t head = 0; head < op.kv_heads; ++head) {
                for (int64_t d = 0; d < op.key_dim; ++d)
                    kv.set_key(head, token, d, k[head * op.key_dim + d]);
                for (int64_t d = 0; d < op.value_dim; ++d)
                    kv.set_value(head, token, d, v[head * op.value_dim + d]);
            }
        }
    }
};

}  // namespace ingle::ops
