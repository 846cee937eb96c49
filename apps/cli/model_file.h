// Opening what verbs look into: a model's file and its tokenizer.
#pragma once

#include <memory>
#include <string>

#include "gguf/reader.h"
#include "tokenizer/tokenizer.h"

namespace ingle::cli {

// Failures name the file.
Result<gguf::File> open_model(const std::string& path);
Result<std::unique_ptr<const Tokenizer>> tokenizer_of(const gguf::File& file);

}  // namespace ingle::cli
