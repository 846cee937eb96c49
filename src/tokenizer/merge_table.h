// The merges of a vocabulary as a hash table of pairs: (left, right) -> rank and result.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "tokenizer/merge.h"
#include "tokenizer/token_map.h"
#include "tokenizer/vocabulary.h"

namespace ingle::tokenizer {

class MergeTable {
  public:
    // Takes Vocabulary::merges; a line without a space inside is a failure that names it.
    static Result<MergeTable> make(const std::vector<std::string>& merges, const TokenMap& tokens,
                                   Token tokens_count);

    // Its token, or an id from `tokens_count` upwards if only merges know the text, or no_token.
    Token id_of(std::string_view text, const TokenMap& tokens) const;

    Merge operator()(Token left, Token right) const {
        const uint64_t key = key_of(left, right);
        for (size_t slot = slot_of(key);; slot = (slot + 1) & (slots_.size() - 1)) {
            if (slots_[slot].key == key) return slots_[slot].merge;
            if (slots_[slot].merge.key == no_merge) return {};
        }
    }

  private:
    struct Slot {
        uint64_t key = 0;
        Merge merge = {};
    };

    static uint64_t key_of(Token left, Token right) {
        return uint64_t(uint32_t(left)) << 32 | uint32_t(right);
    }
    size_t slot_of(uint64_t key) const {
        return size_t(key * 0x9e3779b97f4a7c15ull >> shift_) & (slots_.size() - 1);
    }
    Token intern(std::string_view text, const TokenMap& tokens);
    void insert(uint64_t key, Merge merge);

    Token next_id_ = 0;
    int shift_ = 0;
    std::vector<Slot> slots_;                           // a power of two, at most half full
    std::map<std::string, Token, std::less<>> beyond_;  // texts of merges that are no tokens
};

}  // namespace ingle::tokenizer
