// Places the values of a segment in one buffer: two values share bytes if no node needs both, or if the one becomes the
// other element by element.
#pragma once

#include <vector>

#include "backend/backend.h"

namespace ingle::graph {

struct MemoryPlan {
    std::vector<int64_t> offset_bytes;  // by value; `none` if the segment does not hold it
    uint64_t bytes = 0;
};

// Rows of a value are as many as its domain can have. Imports and exports are never overwritten.
MemoryPlan plan_memory(const backend::Segment& segment);

}  // namespace ingle::graph
