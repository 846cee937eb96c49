// The formats of JSON Schema that are enforced, as regular expressions.
#pragma once

#include <string>
#include <string_view>

namespace ingle::grammar {

// The expression for a whole text of this format, or "" if the format is not known.
std::string format_pattern(std::string_view name);
// "date, time, ...", for messages.
std::string known_formats();

}  // namespace ingle::grammar
