// Decodes one metadata value of a GGUF header.
#pragma once

#include <memory>

#include "gguf/cursor.h"
#include "gguf/value.h"

namespace ingle::gguf {

// Reads a type id and the value. Views of string arrays point into the cursor's bytes, kept alive
// by `owner`.
Status read_value(Cursor& cursor, const std::shared_ptr<const void>& owner, Value& out);

}  // namespace ingle::gguf
