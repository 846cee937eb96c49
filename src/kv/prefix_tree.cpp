#include "kv/prefix_tree.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace ingle::kv {

PrefixTree::PrefixTree(PagePool& pool, int64_t page_tokens, int64_t unused_max, bool splits_full)
    : pool_(pool),
      page_tokens_(page_tokens),
      unused_max_(unused_max),
      splits_full_(splits_full),
      nodes_(size_t(pool.capacity())),
      tokens_(size_t(pool.capacity() * page_tokens)),
      heads_(std::bit_ceil(size_t(pool.capacity()) + 1), -1),
      unused_(pool.capacity()),
      windows_(pool.capacity()) {}

PrefixTree::~PrefixTree() { evict(unused()); }

std::span<const Token> PrefixTree::tokens_of(int64_t node) const {
    return std::span(tokens_).subspan(size_t(node * page_tokens_),
                                      size_t(nodes_[size_t(node)].count));
}

// Multiply and fold, 64 bits at a time; equal hashes are told apart by the tokens.
uint64_t PrefixTree::hash_of(int64_t parent, std::span<const Token> tokens) const {
    uint64_t hash = uint64_t(parent) * 0x9e3779b97f4a7c15u;
    for (const Token token : tokens) {
        hash = (hash ^ uint32_t(token)) * 0xd6e8feb86659fd93u;
        hash ^= hash >> 32;
    }
    return hash & (heads_.size() - 1);
}

int64_t PrefixTree::find(int64_t parent, std::span<const Token> tokens) const {
    for (int64_t node = heads_[hash_of(parent, tokens)]; node >= 0;
         node = nodes_[size_t(node)].next_alike)
        if (nodes_[size_t(node)].parent == parent && std::ranges::equal(tokens_of(node), tokens))
            return node;
    return -1;
}

std::pair<int64_t, int64_t> PrefixTree::nearest(int64_t parent,
                                                std::span<const Token> tokens) const {
    std::pair<int64_t, int64_t> best{-1, 0};
    for (int64_t node = nodes_[size_t(parent)].first_child; node >= 0;
         node = nodes_[size_t(node)].next_sibling) {
        const std::span<const Token> known = tokens_of(node);
        if (!splits_full_ && int64_t(known.size()) == page_tokens_) continue;
        const int64_t agreed = std::ranges::mismatch(known, tokens).in1 - known.begin();
        if (agreed > best.second) best = {node, agreed};
    }
    return best;
}

PrefixTree::Place PrefixTree::enter(std::string_view salt) {
    Place place;
    const std::string name(salt);
    auto known = roots_.find(name);
    if (known == roots_.end()) {
        // In this order, so that nothing is half done if memory runs out.
        if (free_roots_.empty()) {
            free_roots_.reserve(salts_.size() + 1);
            salts_.emplace_back();
            nodes_.emplace_back();
            free_roots_.push_back(int64_t(nodes_.size()) - 1);
        }
        const int64_t root = free_roots_.back();
        salts_[size_t(root - pool_.capacity())] = name;
        known = roots_.emplace(name, root).first;
        free_roots_.pop_back();
        nodes_[size_t(root)] = {};
    }
    place.node_ = known->second;
    ++nodes_[size_t(place.node_)].users;
    return place;
}

void PrefixTree::forget_root(int64_t root) {
    if (nodes_[size_t(root)].users > 0 || nodes_[size_t(root)].first_child >= 0) return;
    roots_.erase(salts_[size_t(root - pool_.capacity())]);
    free_roots_.push_back(root);
}

int64_t PrefixTree::extend(Place& place, Sequence& sequence, std::span<const Token> tokens,
                           int64_t most) {
    const int64_t before = sequence.length();
    if (before % page_tokens_ != 0 || size_t(before / page_tokens_) != place.pages_) return 0;
    const auto pages = int64_t(place.pages_);
    const auto child = [&](int64_t node, int64_t page) {
        return page * page_tokens_ + page_tokens_ > most
                   ? -1
                   : find(node, tokens.subspan(size_t(page * page_tokens_), size_t(page_tokens_)));
    };
    // How far the text is known, and the last page after which it can be taken up.
    int64_t deepest = place.node_, known = pages, last = pages;
    int64_t windows = pages - sequence.first_window();
    for (int64_t node; (node = child(deepest, known)) >= 0; deepest = node) {
        windows = pool_.has_window(uint32_t(node)) ? windows + 1 : 0;
        ++known;
        if (can_go_on(known, windows, known * page_tokens_)) last = known;
    }
    const int64_t rest = std::min(most - known * page_tokens_, page_tokens_);
    std::pair<int64_t, int64_t> part{-1, 0};
    if (rest > 0)
        part = nearest(deepest, tokens.subspan(size_t(known * page_tokens_), size_t(rest)));
    if (part.first >= 0 && (!pool_.has_window(uint32_t(part.first)) ||
                            !can_go_on(known, windows, known * page_tokens_ + part.second)))
        part.first = -1;
    if (part.first >= 0) last = known;
    place.parted_ = last < known ? size_t(known) : 0;
    for (int64_t page = pages; page < last; ++page) {
        const int64_t node = child(place.node_, page);
        use(node);
        if (windows_.contains(node)) hold_window(node);
        place.node_ = node;
        ++place.pages_;
        sequence.adopt(uint32_t(node));
    }
    if (part.first >= 0) sequence.adopt_part(uint32_t(part.first), part.second);
    return sequence.length() - before;
}

// As the newest of those held.
void PrefixTree::hold_window(int64_t node) {
    if (windows_.contains(node)) windows_.remove(node);
    else pool_.share_window(uint32_t(node));
    windows_.add(node);
}

void PrefixTree::hold_windows(const Place& place, const Sequence& sequence) {
    if (!pool_.drops_windows() || !place.entered()) return;
    int64_t node = place.node_;
    for (auto page = int64_t(place.pages_); page-- > sequence.first_window() && !is_root(node);
         node = nodes_[size_t(node)].parent)
        hold_window(node);
}

void PrefixTree::count_lookup(int64_t asked, int64_t found) {
    statistics_.lookups += asked > 0 ? 1 : 0;
    statistics_.hits += asked > 0 && found > 0 ? 1 : 0;
    statistics_.tokens_asked += asked;
    statistics_.tokens_found += found;
}

void PrefixTree::keep(Place& place, Sequence& sequence, std::span<const Token> tokens) {
    const auto full = size_t(sequence.length() / page_tokens_);
    for (; place.pages_ < full; ++place.pages_) {
        const auto page = tokens.subspan(place.pages_ * size_t(page_tokens_), size_t(page_tokens_));
        int64_t node = find(place.node_, page);
        if (node >= 0) {
            sequence.replace(place.pages_, uint32_t(node));
        } else {
            node = sequence.pages()[place.pages_].page;
            insert(node, place.node_, page);
        }
        use(node);
        place.node_ = node;
    }
    // Others parted from this text here, and more may.
    if (place.parted_ == 0 || place.pages_ < place.parted_) return;
    const int64_t first = std::max(sequence.first_window(),
                                   pool_.window().first_seen(int64_t(place.parted_) * page_tokens_));
    int64_t node = place.node_;
    for (auto page = int64_t(place.pages_); page-- > first; node = nodes_[size_t(node)].parent)
        if (page < int64_t(place.parted_)) hold_window(node);
    place.parted_ = 0;
}

void PrefixTree::keep_rest(const Place& place, const Sequence& sequence,
                           std::span<const Token> tokens) {
    const auto begin = int64_t(place.pages_) * page_tokens_;
    const auto rest = tokens.subspan(size_t(begin), size_t(sequence.length() - begin));
    if (rest.empty()) return;
    for (int64_t node = nodes_[size_t(place.node_)].first_child; node >= 0;) {
        const int64_t next = nodes_[size_t(node)].next_sibling;
        const std::span<const Token> known = tokens_of(node);
        const size_t agreed = size_t(std::ranges::mismatch(known, rest).in1 - known.begin());
        if (agreed == rest.size()) return;            // known already, and perhaps more
        if (agreed == known.size() && nodes_[size_t(node)].users == 0) remove(node);  // a beginning of this
        node = next;
    }
    const int64_t node = sequence.pages()[place.pages_].page;
    insert(node, place.node_, rest);
    unused_.add(node);
    if (pool_.drops_windows()) hold_window(node);
}

void PrefixTree::keep_and_leave(Place& place, Sequence& sequence, std::span<const Token> tokens) {
    keep(place, sequence, tokens);
    keep_rest(place, sequence, tokens);
    sequence.trim();
    hold_windows(place, sequence);
    leave(place, sequence);
}

PrefixTree::Place PrefixTree::fork(const Place& place) {
    int64_t node = place.node_;
    for (; !is_root(node); node = nodes_[size_t(node)].parent) ++nodes_[size_t(node)].users;
    ++nodes_[size_t(node)].users;
    return place;
}

void PrefixTree::leave(Place& place, Sequence& sequence) {
    sequence.truncate(0);
    part(place);
}

void PrefixTree::part(Place& place) {
    if (place.entered()) unuse_path(place);
    if (unused() > unused_max_) evict(unused() - unused_max_);
}

// Ends first, so that among the unused every node is older than what leads to it.
void PrefixTree::unuse_path(Place& place) {
    int64_t node = place.node_;
    for (; !is_root(node); node = nodes_[size_t(node)].parent)
        if (--nodes_[size_t(node)].users == 0) unused_.add(node);
    --nodes_[size_t(node)].users;
    forget_root(node);
    place = {};
}

void PrefixTree::use(int64_t node) {
    if (nodes_[size_t(node)].users++ == 0 && unused_.contains(node)) unused_.remove(node);
}

void PrefixTree::insert(int64_t node, int64_t parent, std::span<const Token> tokens) {
    pool_.share(uint32_t(node), false);
    Node& fresh = nodes_[size_t(node)];
    fresh = {};
    fresh.parent = parent;
    fresh.count = int32_t(tokens.size());
    std::ranges::copy(tokens, tokens_.begin() + node * page_tokens_);
    Node& above = nodes_[size_t(parent)];
    fresh.next_sibling = above.first_child;
    if (above.first_child >= 0) nodes_[size_t(above.first_child)].previous_sibling = node;
    above.first_child = node;
    if (int64_t(tokens.size()) == page_tokens_) {
        int64_t& head = heads_[hash_of(parent, tokens)];
        fresh.next_alike = head;
        head = node;
    }
    ++statistics_.pages;
}

// Of an unused node without children.
void PrefixTree::remove(int64_t node) {
    Node& gone = nodes_[size_t(node)];
    assert(gone.users == 0 && gone.first_child < 0);
    unused_.remove(node);
    if (gone.count == page_tokens_) {
        int64_t* at = &heads_[hash_of(gone.parent, tokens_of(node))];
        while (*at != node) at = &nodes_[size_t(*at)].next_alike;
        *at = gone.next_alike;
    }
    if (gone.next_sibling >= 0)
        nodes_[size_t(gone.next_sibling)].previous_sibling = gone.previous_sibling;
    if (gone.previous_sibling >= 0)
        nodes_[size_t(gone.previous_sibling)].next_sibling = gone.next_sibling;
    else nodes_[size_t(gone.parent)].first_child = gone.next_sibling;
    const int64_t parent = gone.parent;
    gone = {};
    const bool window = windows_.contains(node);
    if (window) windows_.remove(node);
    pool_.release(uint32_t(node), window);
    --statistics_.pages;
    if (is_root(parent)) forget_root(parent);
}

void PrefixTree::forget(std::string_view salt, std::span<const Token> tokens) {
    const auto root = roots_.find(std::string(salt));
    if (root == roots_.end()) return;
    int64_t node = root->second;
    while (int64_t(tokens.size()) >= page_tokens_) {
        const int64_t child = find(node, tokens.first(size_t(page_tokens_)));
        if (child < 0) break;
        node = child;
        tokens = tokens.subspan(size_t(page_tokens_));
    }
    for (int64_t child = nodes_[size_t(node)].first_child; child >= 0;
         child = nodes_[size_t(child)].next_sibling)
        if (!tokens.empty() && std::ranges::equal(tokens_of(child), tokens)) {
            node = child;
            break;
        }
    while (!is_root(node) && nodes_[size_t(node)].users == 0 && nodes_[size_t(node)].first_child < 0) {
        const int64_t parent = nodes_[size_t(node)].parent;
        remove(node);
        node = parent;
    }
}

int64_t PrefixTree::evict(int64_t pages) {
    int64_t gone = 0;
    for (; gone < pages && unused_.oldest() >= 0; ++gone) remove(unused_.oldest());
    statistics_.evictions += gone;
    return gone;
}

int64_t PrefixTree::evict_windows(int64_t windows) {
    while (pool_.windows_available() < windows && windows_.oldest() >= 0) {
        const int64_t node = windows_.oldest();
        windows_.remove(node);
        pool_.release_window(uint32_t(node));
    }
    return pool_.windows_available();
}

}  // namespace ingle::kv
