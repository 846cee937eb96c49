// Token texts to ids: an open-addressing hash table of ids; the texts stay in the vocabulary.
#pragma once

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
        slots_.assign(capacity, no_token);
    }

    // The first of equal texts stays.
    void insert(Token token) {
        const std::string& text = (*texts_)[size_t(token)];
        size_t slot = slot_of(text);
        for (; slots_[slot] != no_token; slot = (slot + 1) & (slots_.size() - 1))
            if ((*texts_)[size_t(slots_[slot])] == text) return;
        slots_[slot] = token;
        longest_ = std::max(longest_, text.size());
    }
    void insert_all() {
        for (size_t i = 0; i < texts_->size(); ++i) insert(Token(i));
    }

    Token find(std::string_view text) const {
        if (text.size() > longest_ || slots_.empty()) return no_token;
        size_t slot = slot_of(text);
        for (; slots_[slot] != no_token; slot = (slot + 1) & (slots_.size() - 1))
            if ((*texts_)[size_t(slots_[slot])] == text) return slots_[slot];
        return no_token;
    }

    size_t longest() const { return longest_; }

  private:
    size_t slot_of(std::string_view text) const {
        return std::hash<std::string_view>{}(text) & (slots_.size() - 1);
    }

    const std::vector<std::string>* texts_ = nullptr;
    std::vector<Token> slots_;
    size_t longest_ = 0;
};

}  // namespace ingle::tokenizer
