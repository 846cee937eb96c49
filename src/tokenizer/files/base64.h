// Base64 (RFC 4648), as tokenizer files carry bytes in text.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace ingle::files {

// Fails at the first character that does not belong, and for a length that cannot be.
Result<std::string> decode_base64(std::string_view text);

}  // namespace ingle::files
