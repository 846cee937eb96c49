// SentencePiece writes a space as U+2581 and a byte without a character as "<0x0A>".
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "tokenizer/vocabulary.h"

namespace ingle::tokenizer {

inline constexpr std::string_view escaped_space = "\u2581";

// Appends `text` with every space escaped, or every escape as a space again.
void append_escaped(std::string_view text, std::string& out);
void append_unescaped(std::string_view text, std::string& out);

// The byte that "<0x0A>" stands for, or -1.
int byte_of(std::string_view token_text);

// The tokens that write any text byte by byte.
class ByteFallback {
  public:
    explicit ByteFallback(const Vocabulary& vocabulary);
    // Without tokens for all of the bytes: one unknown token, if there is one.
    void append(std::string_view bytes, std::vector<Token>& out) const;
    bool complete() const;

  private:
    std::array<Token, 256> tokens_;
    Token unknown_;
};

// Appends the bytes of a token of a vocabulary that escapes spaces.
void append_escaped_piece(std::string_view token_text, TokenType type, std::string& out);

}  // namespace ingle::tokenizer
