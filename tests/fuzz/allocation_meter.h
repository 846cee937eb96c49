// Counts what a test allocates, so that "memory is bounded by the bytes present" can be checked:
// the resident set would not show a large block that is reserved and never touched.
#pragma once

#include <cstdint>

namespace ingle::test {

// Bytes asked of operator new by this thread since the process began.
uint64_t allocated_bytes();

}  // namespace ingle::test
