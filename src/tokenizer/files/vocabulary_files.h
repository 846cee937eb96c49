// Plain vocabulary files: token lists, rank lists and merge lists of older tools.
#pragma once

#include <string_view>

#include "base/status.h"
#include "tokenizer/vocabulary.h"

namespace ingle {

// vocab.json with merges.txt (GPT-2), encoder.json with vocab.bpe: {"token": id} in GPT-2's
// letters, and one merge a line, best first, after an optional "#version" line. The files do not
// name their pre-tokenizer: it is taken from the number of tokens where that is a published one,
// otherwise `pre` stays empty.
Result<Vocabulary> vocabulary_from_merge_lists(std::string_view vocab_json,
                                               std::string_view merges);

// .tiktoken: "base64 rank" lines. Two neighbours merge if their bytes joined have a rank, the
// smallest first; so every split of a token into two tokens becomes a merge. Whole words that are
// tokens are never merged.
Result<Vocabulary> vocabulary_from_tiktoken(std::string_view text);

// vocab.txt (BERT): one token a line, the line's number from 0 is its id. A list in which only
// marked-up tokens have capitals is taken as lower-case.
Result<Vocabulary> vocabulary_from_word_list(std::string_view text);

// RWKV World: "id literal bytes" lines, the literal as Python writes a str or bytes. Id 0 ends a
// text.
Result<Vocabulary> vocabulary_from_rwkv(std::string_view text);

// llama2.c's tokenizer.bin: i32 longest token, then a record a token: f32 score, i32 bytes, text.
// Spaces are plain, BOS and EOS (ids 1 and 2) stand between line ends.
Result<Vocabulary> vocabulary_from_llama2c(std::string_view bytes);

}  // namespace ingle
