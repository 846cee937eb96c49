// Bytes that no encoder writes, in the formats that have such: they decode to something, but mean damage.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ingle::container {

// True if the block holds a code that means nothing.
using BadCodes = bool (*)(const std::byte* block);

// Null for a type in whose blocks every code means something.
BadCodes bad_codes_of(uint32_t type_id);

}  // namespace ingle::container
