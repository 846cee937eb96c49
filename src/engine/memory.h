// What a session will take, counted before anything is reserved.
#pragma once

#include "engine/model.h"
#include "engine/shift.h"
#include "kv/window.h"

namespace ingle {

struct SessionOptions {
    int64_t context_tokens = 0;   // 0: as trained, or less if memory is short
    int64_t sequences = 1;        // whose contexts memory must hold at once
    int64_t chunk_tokens = 512;   // tokens computed at once
    int64_t outputs_max = 1;      // rows of logits wanted at once
    KvType key_type = KvType::f16;
    KvType value_type = KvType::f16;
    bool full_windows = false;    // layers with a sliding window keep what has left it, too
    int64_t page_tokens = 32;
    bool observe_inputs = false;  // sum the squares of what meets each matrix: Session::observations()
    bool without_logits = false;  // leave out the output matrix: there are no logits then, only observations
    bool context_shift = false;   // when the context is full, forget its oldest tokens and go on
    ShiftOptions shift = {};
};

// Bytes by kind; weights still mapped from the file are not counted.
struct MemoryNeed {
    uint64_t weights = 0;
    uint64_t kv = 0;       // for the whole context
    uint64_t compute = 0;  // activations and working memory
    uint64_t total() const { return weights + kv + compute; }
};

backend::KvLayout layout_of(const graph::Graph& graph, const SessionOptions& options);

// Of the layers that drop it; none if none do.
kv::Window window_of(const backend::KvLayout& layout);
// Pages whose windows are held at once, of sequences with `tokens` each: those that each keeps, and those that one step
// fills.
int64_t windows_max(const backend::KvLayout& layout, const SessionOptions& options, int64_t tokens);

// KV bytes of every sequence with `tokens` each: whole pages, of layers with a window those that are held, and what exact
// forms of a quantized cache take at most (kv_view.h): those of each sequence's first and last page, and of the pages that
// one step fills.
uint64_t kv_bytes(const backend::KvLayout& layout, const SessionOptions& options, int64_t tokens);

struct ComputeNeed {
    uint64_t activations = 0;
    uint64_t scratch = 0;  // working memory of steps and threads
    uint64_t total() const { return activations + scratch; }
};
// Of a program for contexts of that length: it is compiled and measured.
Result<ComputeNeed> compute_need(const Model& model, const SessionOptions& options, int64_t context);

struct SettledContext {
    int64_t tokens = 0;
    uint64_t compute = 0;  // of a program for it, or a little more
};
// The context that a session gets: as asked, or, if 0 was asked, as trained and as fits. Fails if what was asked does not
// fit in `available` bytes, with the numbers and the largest context that would.
Result<SettledContext> settle_context(const Model& model, const SessionOptions& options,
                                      uint64_t available);

}  // namespace ingle
