// Added tokens as Hugging Face's files describe them:
//   {"content": "<s>", "special": true, "lstrip": false, "rstrip": false, "single_word": false}
#pragma once

#include "base/status.h"
#include "tokenizer/files/json.h"
#include "tokenizer/vocabulary.h"

namespace ingle::files {

// Puts the token at `id`, over what the vocabulary says there. Special ones become control tokens
// (unknown and byte tokens stay what they are), others user-defined.
Status add_token(const Json& added, int64_t id, Vocabulary& vocabulary);

}  // namespace ingle::files
