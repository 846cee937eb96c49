// Token texts to ids: an open-addressing hash table of ids; the texts stay in the vocabulary.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/vocabulary.h"

namespace ingle::tokenizer {

class TokenMap {
  public:
    // The texts must outlive the map and stay where they are.
    TokenMap() = default;
    explicit TokenMap(const std::vector<std::string>& texts) : texts_(&texts) {
        size_t capacity = 16;
        while (capacity < texts.size() * 2) capacity *= 2;
        slots_.resize(capacity);
    }

    // The first of equal texts stays.
    void insert(Token token) {
        const std::string& text = (*texts_)[size_t(token)];
        Slot& slot = slots_[find_slot(text)];
        if (slot.token != no_token) return;
        slot = {tag_of(hash_of(text)), token};
        longest_ = std::max(longest_, text.size());
    }

    Token find(std::string_view text) const {
        if (text.size() > longest_ || slots_.empty()) return no_token;
        return slots_[find_slot(text)].token;
    }

    size_t longest() const { return longest_; }

  private:
    struct Slot {
        uint32_t tag = 0;  // part of the hash, so that few foreign texts are looked at
        Token token = no_token;
    };

    static uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }
    static uint32_t tag_of(uint64_t hash) { return uint32_t(hash >> 20); }

    // The slot that holds this text, or the empty one where it belongs.
    size_t find_slot(std::string_view text) const {
        const uint64_t hash = hash_of(text);
        size_t at = size_t(hash) & (slots_.size() - 1);
        for (; slots_[at].token != no_token; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].tag == tag_of(hash) && (*texts_)[size_t(slots_[at].token)] == text)
                break;
        return at;
    }

    const std::vector<std::string>* texts_ = nullptr;
    std::vector<Slot> slots_;
    size_t longest_ = 0;
};

}  // namespace ingle::tokenizer
