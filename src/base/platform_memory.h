// Memory that is spoken for.
#pragma once

#include <cstdint>

namespace ingle::platform {

// So many bytes, though not taken yet, belong to somebody: available_memory_bytes() leaves them out from now on. A later
// promise takes the place of an earlier one.
void promise_memory(uint64_t bytes);

}  // namespace ingle::platform
