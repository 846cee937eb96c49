#include "tokenizer/byte_trie.h"

#include <algorithm>

namespace ingle::tokenizer {

ByteTrie::ByteTrie(std::vector<Entry> entries) {
    std::erase_if(entries, [](const Entry& entry) { return entry.first.empty(); });
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end(),
                              [](const Entry& a, const Entry& b) { return a.first == b.first; }),
                  entries.end());
    // Breadth first, so that siblings lie together: each node covers the keys [begin, end) that
    // share its first `depth` bytes.
    struct Range {
        size_t begin, end, depth;
    };
    std::vector<Range> nodes = {{0, entries.size(), 0}};
    labels_.push_back(0);
    values_.push_back(-1);
    for (size_t node = 0; node < nodes.size(); ++node) {
        Range range = nodes[node];
        first_child_.push_back(uint32_t(nodes.size()));
        if (range.begin < range.end && entries[range.begin].first.size() == range.depth)
            values_[node] = entries[range.begin++].second;
        while (range.begin < range.end) {
            const char label = entries[range.begin].first[range.depth];
            size_t end = range.begin + 1;
            while (end < range.end && entries[end].first[range.depth] == label) ++end;
            if (node == 0) root_[uint8_t(label)] = uint32_t(nodes.size());
            nodes.push_back({range.begin, end, range.depth + 1});
            labels_.push_back(uint8_t(label));
            values_.push_back(-1);
            range.begin = end;
        }
    }
    first_child_.push_back(uint32_t(nodes.size()));
}

}  // namespace ingle::tokenizer
