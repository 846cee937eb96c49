#include "cli/model_tokenizer.h"

#include "tokenizer/gguf_vocabulary.h"

namespace ingle::cli {

Result<std::unique_ptr<const Tokenizer>> tokenizer_of(const gguf::File& file) {
    INGLE_ASSIGN(Vocabulary vocabulary, vocabulary_from(file));
    return Tokenizer::make(std::move(vocabulary));
}

}  // namespace ingle::cli
