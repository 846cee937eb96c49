// What one rendering may cost. A template comes from strangers: it ends, small, or fails with
// Code::limit.
#pragma once

#include <cstdint>

namespace ingle::jinja {

struct Limits {
    // Expressions evaluated, and one more per 64 bytes, 4 characters or 4 items worked on.
    uint64_t steps_max = 20'000'000;
    uint64_t memory_bytes_max = 256u << 20;  // values alive that the template made
    uint64_t output_bytes_max = 64u << 20;
    int depth_max = 600;        // nested evaluation, macros included; about 1.5 KiB of stack each
    int value_depth_max = 200;  // lists in lists
};

}  // namespace ingle::jinja
