// Vocabularies from GGUF files, and test vectors.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gguf/reader.h"
#include "support/fixtures.h"
#include "tokenizer/gguf_vocabulary.h"
#include "tokenizer/tokenizer.h"

namespace ingle::test {

inline std::unique_ptr<const Tokenizer> tokenizer_of(const std::filesystem::path& path) {
    auto file = gguf::File::open(path);
    EXPECT_OK(file);
    if (!file.ok()) return nullptr;
    auto vocabulary = vocabulary_from(*file);
    EXPECT_OK(vocabulary);
    if (!vocabulary.ok()) return nullptr;
    auto tokenizer = Tokenizer::make(std::move(*vocabulary));
    EXPECT_OK(tokenizer);
    return tokenizer.ok() ? std::move(*tokenizer) : nullptr;
}

inline nlohmann::json json_of(const std::filesystem::path& path) {
    return nlohmann::json::parse(bytes_of(path), nullptr, false);
}

}  // namespace ingle::test
