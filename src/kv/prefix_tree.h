// Pages of past and running sequences, found again by their tokens: a tree whose nodes are pages. The path from a root
// to a node spells the beginning of a text; a page is right only below the very tokens it was computed after.
//
//   root (of a salt) - page of 32 tokens - page of 32 tokens - rest of fewer tokens
//
// Whole pages are shared. Of a page that agrees in part only, the agreeing tokens are copied. Nodes that no sequence is
// using are kept for as long as there is room and go by least recent use, the ends of texts first. Everything but
// roots lies in tables as long as the pool; nothing is allocated when pages come and go.
//
// Where layers have a sliding window (page_pool.h), a text can be taken up only where the windows of the pages before are
// still there. The tree holds them at the ends of texts and of prompts, and where texts were seen to part; they go by
// least recent use when windows are wanted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kv/recency_list.h"
#include "kv/sequence.h"
#include "tensor/batch.h"

namespace ingle::kv {

struct PrefixStatistics {
    int64_t pages = 0;         // in the tree
    int64_t unused = 0;        // of those, held by no sequence
    int64_t lookups = 0;       // since the beginning, as all below
    int64_t hits = 0;          // lookups that found something
    int64_t tokens_asked = 0;  // of all lookups
    int64_t tokens_found = 0;
    int64_t evictions = 0;     // pages
};

class PrefixTree {
  public:
    // Where a sequence stands in the tree: the node of its last page there. Made by enter(), ended by leave().
    class Place {
      public:
        bool entered() const { return node_ >= 0; }

      private:
        friend class PrefixTree;
        int64_t node_ = -1;
        size_t pages_ = 0;   // of the sequence, known to the tree
        size_t parted_ = 0;  // pages that others know, but could not be taken up after
    };

    // At most `unused_max` pages are kept that no sequence holds. A page of which some tokens agree is copied for them;
    // a full page only if `splits_full`, that is if its tokens are stored in the same form as those of one that is not
    // full. `pool` must outlive the tree.
    PrefixTree(PagePool& pool, int64_t page_tokens, int64_t unused_max, bool splits_full);
    ~PrefixTree();
    PrefixTree(const PrefixTree&) = delete;
    PrefixTree& operator=(const PrefixTree&) = delete;

    // To the root of a salt: texts of different salts never share pages.
    Place enter(std::string_view salt);
    // The sequence goes on by itself: it is looked up and kept no further, and what the tree knows of it may be evicted.
    void part(Place& place);
    // Appends to the sequence what is known of tokens[length, most), as far as it goes; the tokens that were found.
    // Finds nothing unless the sequence ends with a page.
    int64_t extend(Place& place, Sequence& sequence, std::span<const Token> tokens, int64_t most);
    // For the statistics: of `asked` tokens `found` were there.
    void count_lookup(int64_t asked, int64_t found);
    // Takes the sequence's full pages, so that others find them. Pages already known replace the sequence's own.
    void keep(Place& place, Sequence& sequence, std::span<const Token> tokens);
    // As keep(), with the tokens after the last full page; then the sequence is emptied and its place ends.
    void keep_and_leave(Place& place, Sequence& sequence, std::span<const Token> tokens);
    // Holds the windows that a text needs to be taken up where the sequence is now.
    void hold_windows(const Place& place, const Sequence& sequence);
    // The place of a sequence that shares all pages of the one at `place`.
    Place fork(const Place& place);
    // The sequence is emptied and its place ends.
    void leave(Place& place, Sequence& sequence);

    // Gives back what only this text holds, from its end on.
    void forget(std::string_view salt, std::span<const Token> tokens);
    // Gives up to `pages` unused pages back to the pool; how many they were.
    int64_t evict(int64_t pages);
    // Lets go windows until `windows` more can be taken from the pool, or there are none; how many could be taken.
    int64_t evict_windows(int64_t windows);
    int64_t unused() const { return unused_.size(); }
    PrefixStatistics statistics() const {
        PrefixStatistics now = statistics_;
        now.unused = unused_.size();
        return now;
    }

  private:
    struct Node {
        int64_t parent = -1;
        int64_t first_child = -1;
        int64_t next_sibling = -1, previous_sibling = -1;
        int64_t next_alike = -1;             // of the same hash
        int32_t users = 0;                   // sequences whose path leads through it
        int32_t count = 0;                   // tokens; 0: not in the tree
    };

    bool is_root(int64_t node) const { return node >= pool_.capacity(); }
    std::span<const Token> tokens_of(int64_t node) const;
    uint64_t hash_of(int64_t parent, std::span<const Token> tokens) const;
    int64_t find(int64_t parent, std::span<const Token> tokens) const;
    // The child that agrees longest with `tokens`, and how long.
    std::pair<int64_t, int64_t> nearest(int64_t parent, std::span<const Token> tokens) const;
    // Of a sequence that ends after `pages` pages, the last ones with their windows as `windows` counts: whether it can
    // go on with token `length`.
    bool can_go_on(int64_t pages, int64_t windows, int64_t length) const {
        return windows >= pages - pool_.window().first_seen(length);
    }
    void hold_window(int64_t node);
    void insert(int64_t node, int64_t parent, std::span<const Token> tokens);
    void remove(int64_t node);
    void use(int64_t node);
    void unuse_path(Place& place);
    void keep_rest(const Place& place, const Sequence& sequence, std::span<const Token> tokens);
    void forget_root(int64_t root);

    PagePool& pool_;
    int64_t page_tokens_;
    int64_t unused_max_;
    bool splits_full_;
    std::vector<Node> nodes_;     // by page; then the roots
    std::vector<Token> tokens_;   // [pages, page_tokens]
    std::vector<int64_t> heads_;  // by hash: the first full page
    std::unordered_map<std::string, int64_t> roots_;
    std::vector<std::string> salts_;     // by root
    std::vector<int64_t> free_roots_;
    RecencyList unused_;   // held by no sequence
    RecencyList windows_;  // whose windows are held here
    PrefixStatistics statistics_;
};

}  // namespace ingle::kv
