// What this program's operator new counts, and fails when a test wants it to. By thread: a test that runs on the
// engine's own thread (in a script, support/scripted_device.h) sees that thread alone.
#pragma once

#include <cstdint>

namespace ingle::test {

extern thread_local int64_t allocations_here;
// That many allocations from now, one fails; 0: none.
extern thread_local int64_t allocation_fails_in;

}  // namespace ingle::test
