// The vocabulary in the metadata of a GGUF file.
#pragma once

#include "base/status.h"
#include "gguf/reader.h"
#include "tokenizer/vocabulary.h"

namespace ingle {

// Reads every `tokenizer.ggml.*` key. Fails where a key has the wrong type or there is no
// tokenizer; a special id outside the vocabulary counts as not given (files write 4294967295 for
// "none").
Result<Vocabulary> vocabulary_from(const gguf::Metadata& metadata);
inline Result<Vocabulary> vocabulary_from(const gguf::File& file) {
    return vocabulary_from(file.metadata());
}

}  // namespace ingle
