// The escapes of a string literal, as Python resolves them: \n, \x41, \u00e9, \U0001F600, octal,
// line joins.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace ingle::jinja {

Result<std::string> resolve_escapes(std::string_view body);

}  // namespace ingle::jinja
