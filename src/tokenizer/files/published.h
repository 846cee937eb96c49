// Byte-level vocabularies whose files do not name their pre-tokenizer, known by their number of
// tokens.
#pragma once

#include <cstddef>
#include <string>

namespace ingle::files {

// The rule of a published vocabulary with so many tokens (without the special ones, or with GPT-2's
// one); empty for any other number.
std::string published_rule(size_t tokens);

}  // namespace ingle::files
