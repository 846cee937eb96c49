// Rows of any tensor as f32: weight formats, and plain integers and doubles.
#pragma once

#include "gguf/reader.h"

namespace ingle::container {

// Decodes `count` elements of one row or several (whole blocks).
using DecodeRow = void (*)(const std::byte* bytes, int64_t count, float* out);

// Null if this build knows no way to read the type.
DecodeRow decoder_of(uint32_t type_id);
// "Q4_K", or "type 99" for one that has no name.
std::string type_name(uint32_t type_id);

}  // namespace ingle::container
