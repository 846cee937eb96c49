// Escapes and bracketed classes of regular expressions as ranges of code points.
#pragma once

#include <string_view>

#include "grammar/expression.h"

namespace ingle::grammar {

// "[...]" beginning at `at`, which is moved behind it.
Result<PointRanges> parse_class(std::string_view text, size_t& at);
// "\..." beginning at `at`. `in_class`: \b is a backspace.
Result<PointRanges> parse_escape(std::string_view text, size_t& at, bool in_class);

}  // namespace ingle::grammar
