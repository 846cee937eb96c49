#include "cli/model_file.h"

#include "tokenizer/gguf_vocabulary.h"

namespace ingle::cli {

namespace {

// The system's and the reader's messages may name the file already.
Status naming(Status status, const std::string& path) {
    if (status.message().find(path) != std::string::npos) return status;
    return std::move(status).in(path);
}

}  // namespace

Result<gguf::File> open_model(const std::string& path) {
    auto file = gguf::File::open(path);
    if (!file.ok()) return naming(std::move(file).status(), path);
    return file;
}

Result<std::unique_ptr<const Tokenizer>> tokenizer_of(const gguf::File& file) {
    INGLE_ASSIGN(Vocabulary vocabulary, vocabulary_from(file));
    return Tokenizer::make(std::move(vocabulary));
}

}  // namespace ingle::cli
