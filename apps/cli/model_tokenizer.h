// The tokenizer inside a model's file.
#pragma once

#include <memory>

#include "gguf/reader.h"
#include "tokenizer/tokenizer.h"

namespace ingle::cli {

Result<std::unique_ptr<const Tokenizer>> tokenizer_of(const gguf::File& file);

}  // namespace ingle::cli
