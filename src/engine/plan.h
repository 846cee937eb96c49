// What running a model takes, counted before its weights are read.
#pragma once

#include <vector>

#include "engine/memory.h"

namespace ingle {

struct PlannedLayer {
    int index = none;  // none: what belongs to no block, like embeddings and the output
    uint64_t weights = 0;
    uint64_t mapped = 0;
    uint64_t kv = 0;  // of all sequences at full length
};

struct Plan {
    int64_t context_tokens = 0;  // of each sequence
    int64_t sequences = 1;
    int64_t chunk_tokens = 0;
    uint64_t program = 0;  // this process as it is: code, vocabulary, graph
    uint64_t weights = 0;
    uint64_t mapped = 0;  // of weights that are used in mapped files: the system may drop these pages, and processes share
                          // them; not part of the total
    uint64_t kv = 0;     // of all sequences at full length
    int64_t window_tokens = 0;  // that layers with a sliding window see, and keep with a little more; 0: there are none
    uint64_t exact = 0;  // what a quantized cache keeps in f16 besides, at most
    uint64_t prefix = 0;  // kept prefixes that no one uses, at most
    ComputeNeed compute;
    uint64_t available = 0;  // what this process may hold in all
    std::vector<PlannedLayer> layers;

    uint64_t total() const {
        return program + weights + kv + exact + prefix + compute.total();
    }
    bool fits() const { return total() <= available; }
};

// `model` was loaded as an outline. A context of 0 becomes the trained one, or the longest that fits.
Result<Plan> make_plan(const Model& model, const SessionOptions& options, uint64_t prefix_bytes);

}  // namespace ingle
