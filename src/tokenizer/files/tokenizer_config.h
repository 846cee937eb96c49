// The files that stand beside a vocabulary and say more about it.
#pragma once

#include <string_view>

#include "base/status.h"
#include "tokenizer/vocabulary.h"

namespace ingle {

// added_tokens.json: {"text": id}, tokens beyond or instead of those of the vocabulary.
Status apply_added_tokens(std::string_view text, Vocabulary& vocabulary);

// tokenizer_config.json and special_tokens_map.json: the roles of tokens (bos_token, eos_token,
// ...), added tokens with their flags, whether BOS and EOS are added, the chat template. What they
// say goes before what the vocabulary says, but for the tokens that its template puts around every
// text: an end of text beside that one is added to `end_of_generation`.
Status apply_tokenizer_config(std::string_view text, Vocabulary& vocabulary);

}  // namespace ingle
