// A trie over byte strings in flat arrays: all prefixes of a text that are keys, shortest first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ingle::tokenizer {

class ByteTrie {
  public:
    using Entry = std::pair<std::string_view, int32_t>;

    ByteTrie() : ByteTrie(std::vector<Entry>()) {}
    // Empty keys are left out; of equal keys the one with the smallest value stays.
    explicit ByteTrie(std::vector<Entry> entries);

    // Calls `found(value, length)` for every key that `text` begins with.
    template <class Found>
    void prefixes(std::string_view text, const Found& found) const {
        uint32_t node = 0;
        for (size_t depth = 0; depth < text.size(); ++depth) {
            node = child(node, uint8_t(text[depth]));
            if (node == 0) return;
            if (values_[node] >= 0) found(values_[node], depth + 1);
        }
    }

    bool may_begin(char byte) const { return root_[uint8_t(byte)] != 0; }

  private:
    uint32_t child(uint32_t node, uint8_t label) const {
        if (node == 0) return root_[label];
        const auto begin = labels_.begin() + first_child_[node];
        const auto end = labels_.begin() + first_child_[node + 1];
        const auto at = std::lower_bound(begin, end, label);
        return at != end && *at == label ? uint32_t(at - labels_.begin()) : 0;
    }

    // Node 0 is the root; n's children, by label, are first_child_[n] to first_child_[n + 1] - 1.
    std::vector<uint8_t> labels_;
    std::vector<int32_t> values_;  // -1: no key ends here
    std::vector<uint32_t> first_child_;
    std::array<uint32_t, 256> root_{};
};

}  // namespace ingle::tokenizer
