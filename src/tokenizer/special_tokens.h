// Special tokens that a file does not name in its metadata, found by their well-known texts.
#pragma once

#include "tokenizer/vocabulary.h"

namespace ingle::tokenizer {

// Fills in missing special ids, makes tokens with well-known control texts control tokens, and
// collects every token that ends an answer in `end_of_generation` (sorted).
void complete_special_tokens(Vocabulary& vocabulary);

}  // namespace ingle::tokenizer
