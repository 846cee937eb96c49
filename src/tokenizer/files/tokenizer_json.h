// Hugging Face's tokenizer.json: a model (BPE, WordPiece, Unigram) between a normalizer, a
// pre-tokenizer and a post-processor. The pipeline is read as data: what it does must be something
// that Vocabulary can say.
#pragma once

#include <string_view>

#include "base/status.h"
#include "tokenizer/vocabulary.h"

namespace ingle {

// BPE over bytes becomes "gpt2", its regular expressions the name of a rule in pre/. BPE with
// escaped spaces becomes "llama": the rank of a merge gives the score of what it makes (the merges
// are kept too). WordPiece becomes "bert", Unigram "t5". A step or a regular expression that nobody
// knows is a failure that quotes it. NFC and the `normalized` flag of added tokens are left out:
// GGUF has no word for them.
Result<Vocabulary> vocabulary_from_tokenizer_json(std::string_view text);

}  // namespace ingle
