// Building a Vocabulary from a list in any order: placing tokens, filling holes, bounds.
#pragma once

#include <string_view>

#include "base/status.h"
#include "tokenizer/vocabulary.h"

namespace ingle::files {

// No published vocabulary comes near; a file with one entry must not make us reserve more than
// this.
inline constexpr int64_t ids_max = 1 << 20;

// Puts a token at `id`, growing the vocabulary with holes. What stood there is replaced. Fails for
// an id that is negative or too large, naming the token.
Status place(Vocabulary& vocabulary, int64_t id, std::string_view text, TokenType type);

// Puts a token at an id where no other text may stand yet.
Status place_new(Vocabulary& vocabulary, int64_t id, std::string_view text, TokenType type);

// Gives the ids between tokens a text that no tokenizer makes, as converters do: "[PAD7]".
void fill_holes(Vocabulary& vocabulary);

// The first token with this text, or no_token.
Token find_token(const Vocabulary& vocabulary, std::string_view text);

// Marks "<0x00>" ... "<0xFF>" as byte tokens.
void mark_bytes(Vocabulary& vocabulary);

// Sets bits of AddedFlag on one token.
void add_flags(Vocabulary& vocabulary, Token token, uint8_t flags);

}  // namespace ingle::files
