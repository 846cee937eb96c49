#include "grammar/token_trie.h"

#include <algorithm>
#include <numeric>

namespace ingle::grammar {

TokenTrie::TokenTrie(const std::vector<std::string>& texts, std::vector<uint32_t> end_tokens)
    : texts_(texts), end_tokens_(std::move(end_tokens)) {
    for (const uint32_t token : end_tokens_)
        if (token < texts_.size()) texts_[token].clear();
    std::vector<uint32_t> order(texts_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [this](uint32_t a, uint32_t b) { return texts_[a] < texts_[b]; });
    std::vector<uint32_t> path;  // the nodes of the text before
    const auto close = [&](size_t depth) {
        while (path.size() > depth) {
            nodes_[path.back()].end = uint32_t(nodes_.size());
            path.pop_back();
        }
    };
    std::string_view before;
    for (const uint32_t token : order) {
        const std::string_view text = texts_[token];
        if (text.empty()) continue;
        const auto common = std::mismatch(before.begin(), before.end(), text.begin(), text.end());
        close(size_t(common.first - before.begin()));
        for (size_t i = path.size(); i < text.size(); ++i) {
            path.push_back(uint32_t(nodes_.size()));
            nodes_.push_back({.byte = uint8_t(text[i]), .depth = uint32_t(i + 1), .end = 0,
                              .token_from = uint32_t(tokens_.size()),
                              .token_to = uint32_t(tokens_.size())});
        }
        Node& last = nodes_[path.back()];
        if (last.token_from == last.token_to) last.token_from = uint32_t(tokens_.size());
        tokens_.push_back(token);
        last.token_to = uint32_t(tokens_.size());
        depth_max_ = std::max(depth_max_, uint32_t(text.size()));
        before = text;
    }
    close(0);
}

const StringTokens& TokenTrie::string_tokens() const {
    std::call_once(strings_made_, [this] { strings_ = StringTokens::make(*this); });
    return strings_;
}

}  // namespace ingle::grammar
