// The contract between Tokenizer and the algorithms in models/: one file for each model kind.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenizer/vocabulary.h"

namespace ingle::tokenizer {

// Turns text into tokens of one vocabulary. Immutable; safe from several threads at once.
class Encoder {
  public:
    virtual ~Encoder() = default;

    // Appends the tokens of `text`: no added token inside, and either nothing or one before it.
    virtual void encode(std::string_view text, std::vector<Token>& out) const = 0;

    // Appends the bytes that a normal, unused or byte token stands for.
    virtual void append_piece(std::string_view token_text, TokenType type,
                              std::string& out) const = 0;

    // Whether a text's first token may carry one space too many.
    virtual bool strips_leading_space() const { return false; }
    // Last touch to a decoded text.
    virtual void finish(std::string& text) const { (void)text; }
};

struct Algorithm {
    std::string_view
        names;  // all values of `tokenizer.ggml.model` that mean it, separated by spaces
    // Reads what it needs, sets the flags that are still unset to this kind's defaults, and may
    // move large members out of the vocabulary (merges, scores, the normalization table), but not
    // tokens and types.
    Result<std::unique_ptr<const Encoder>> (*make)(Vocabulary& vocabulary) = nullptr;
};

std::span<const Algorithm* const> all_algorithms();

// An unknown kind is a failure that lists the known ones.
Result<const Algorithm*> find_algorithm(std::string_view model);

}  // namespace ingle::tokenizer
