// The texts of a vocabulary as a tree in one array, in the order of a walk: each node knows where its
// subtree ends, so that a walk skips what cannot match.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "grammar/string_tokens.h"

namespace ingle::grammar {

class TokenTrie {
  public:
    struct Node {
        uint8_t byte;
        uint32_t depth;       // 1: first byte of a token
        uint32_t end;         // behind the subtree
        uint32_t token_from;  // tokens that end here: tokens()[token_from, token_to)
        uint32_t token_to;
    };

    // texts[i] is the text of token i; tokens without text are never matched by bytes.
    // `end_tokens` end a text.
    TokenTrie(const std::vector<std::string>& texts, std::vector<uint32_t> end_tokens);

    std::span<const Node> nodes() const { return nodes_; }
    std::span<const uint32_t> tokens() const { return tokens_; }
    std::span<const uint32_t> end_tokens() const { return end_tokens_; }
    size_t size() const { return texts_.size(); }
    size_t words() const { return (size() + 63) / 64; }
    uint32_t depth_max() const { return depth_max_; }
    const std::string& text(uint32_t token) const { return texts_[token]; }
    // Made when first asked for; from several threads at once, too.
    const StringTokens& string_tokens() const;

  private:
    std::vector<std::string> texts_;
    std::vector<Node> nodes_;
    std::vector<uint32_t> tokens_;
    std::vector<uint32_t> end_tokens_;
    uint32_t depth_max_ = 0;
    mutable std::once_flag strings_made_;
    mutable StringTokens strings_;
};

}  // namespace ingle::grammar
