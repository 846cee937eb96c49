// SentencePiece's precompiled normalization table: a double-array trie (darts-clone) from byte
// strings to offsets of zero-terminated replacements.
//   u32 bytes of the trie, trie units (u32 each), replacement texts
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ingle::tokenizer {

class Charsmap {
  public:
    // An empty blob changes nothing.
    static Result<Charsmap> make(std::string_view blob);

    struct Replaced {
        std::string_view text;
        size_t length;  // bytes of the input it stands for
    };
    // What the longest prefix of `text` (not empty) that the table knows becomes; otherwise the
    // first character as it is, or U+FFFD for a broken byte.
    Replaced replace_prefix(std::string_view text) const;

  private:
    std::vector<uint32_t> units_;
    std::string replacements_;
};

}  // namespace ingle::tokenizer
