// What a session will take, counted before anything is reserved.
#pragma once

#include "engine/model.h"

namespace ingle {

struct SessionOptions {
    int64_t context_tokens = 0;   // 0: as trained, or less if memory is short
    int64_t chunk_tokens = 512;   // tokens computed at once
    int64_t outputs_max = 1;      // rows of logits wanted at once
    KvType key_type = KvType::f16;
    KvType value_type = KvType::f16;
    int64_t page_tokens = 32;
    bool observe_inputs = false;  // sum the squares of what meets each matrix: Session::observations()
    bool without_logits = false;  // leave out the output matrix: there are no logits then, only observations
};

// Bytes by kind; weights still mapped from the file are not counted.
struct MemoryNeed {
    uint64_t weights = 0;
    uint64_t kv = 0;       // for the whole context
    uint64_t compute = 0;  // activations and working memory
    uint64_t total() const { return weights + kv + compute; }
};

// KV bytes of `tokens`, whole pages.
uint64_t kv_bytes(const graph::Graph& graph, const SessionOptions& options, int64_t tokens);
// Activations of one session, before it is compiled. Working memory of the kernels is added as a bound.
uint64_t compute_bytes(const graph::Graph& graph, const SessionOptions& options);

// The context that a session gets: as asked, or, if 0 was asked, as trained and as fits. Fails if what was asked does
// not fit in `available` bytes, with the numbers and the largest context that would.
Result<int64_t> settle_context(const graph::Graph& graph, const SessionOptions& options,
                               int64_t context_trained, uint64_t available);

}  // namespace ingle
