// What tells two GGUF files apart: metadata and tensors, by name, whatever their order.
#pragma once

#include "container/copy.h"

namespace ingle::container {

struct KeyDifference {
    std::string key;
    std::string left, right;  // described; empty: missing there
};

struct TensorDifference {
    std::string name;
    std::string left, right;  // "Q4_K [576, 1536]"; empty: missing there
    bool data = false;        // shape and type are the same, bytes are not
    // sqrt(sum (right - left)^2 / sum left^2), where both have the same shape and can be decoded; else negative.
    double relative_error = -1;
};

struct FileDifference {
    std::vector<KeyDifference> keys;
    std::vector<TensorDifference> tensors;
    uint64_t same_tensors = 0;

    bool same() const { return keys.empty() && tensors.empty(); }
};

Result<FileDifference> compare(const gguf::File& left, const gguf::File& right,
                               const Progress& progress);

}  // namespace ingle::container
