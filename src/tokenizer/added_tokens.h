// Finds added tokens in a text: always the leftmost, and there the longest. Control tokens count
// only where the text is trusted.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tokenizer/byte_trie.h"
#include "tokenizer/vocabulary.h"

namespace ingle::tokenizer {

// A stretch of trusted text, as places in the whole text.
struct TrustedRange {
    size_t begin;
    size_t end;
};

struct AddedMatch {
    Token token = no_token;
    size_t text_end = 0;  // where the ordinary text before the token ends
    size_t next = 0;      // where the text after it begins
};

class AddedTokens {
  public:
    AddedTokens() = default;
    // `vocabulary` must outlive this and stay where it is.
    explicit AddedTokens(const Vocabulary& vocabulary);

    // The next added token at or after `from`; without one, `token` is no_token and `text_end` the
    // end of the text. `trusted` ascends and has gaps between its ranges.
    AddedMatch find(std::string_view text, size_t from,
                    std::span<const TrustedRange> trusted) const;

  private:
    bool is_protected(Token token) const;
    AddedMatch strip(std::string_view text, size_t from, AddedMatch match) const;

    const Vocabulary* vocabulary_ = nullptr;
    ByteTrie trie_;  // values: token * 2 + 1 if only trusted text may make it
};

}  // namespace ingle::tokenizer
