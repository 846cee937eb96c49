// Regular expressions as JSON Schema writes them (ECMA-262, Unicode) as expressions over UTF-8.
//
//   literals . [..] [^..] ( ) (?: ) (?<name> ) | * + ? {n} {n,} {n,m} (lazy forms mean the same)
//   ^ $   \d \D \w \W \s \S   \t \n \r \f \v \0 \xHH \uHHHH \u{H..} \cX   \p{..} of general categories
//   (?= ) (?! ) where nothing encloses them
#pragma once

#include <string_view>

#include "grammar/expression.h"

namespace ingle::grammar {

// The texts in which `pattern` is found; ^ and $ hold it to the ends.
Result<Expr> parse_pattern(Expressions& pool, std::string_view pattern);
// The texts that `pattern` matches as a whole.
Result<Expr> parse_regex(Expressions& pool, std::string_view pattern);
// Any text in UTF-8.
Expr any_text(Expressions& pool);

}  // namespace ingle::grammar
