// Which pages hold which tokens of a sequence. Pages come from a pool and go back when the sequence shrinks or ends;
// nothing is copied when it grows. Several sequences may hold the same page; who writes to one gets a copy first.
//
// Of pages that have left the window of layers that have one (page_pool.h) a sequence lets the window go. It cannot go
// back to where it would need that again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "kv/page_pool.h"
#include "tensor/page_table.h"

namespace ingle::kv {

class Sequence {
  public:
    // Room for a table of `pages_max` is reserved, so that growing allocates nothing. `pool` must outlive it.
    Sequence(PagePool& pool, int64_t page_tokens, int64_t pages_max);
    ~Sequence() { truncate(0); }
    Sequence(const Sequence&) = delete;
    Sequence& operator=(const Sequence&) = delete;

    int64_t length() const { return length_; }
    PageTable pages() const { return pages_; }
    // Pages from this one on hold their windows.
    int64_t first_window() const { return int64_t(first_window_); }
    // Tokens before this one layers with a window do not see: SequenceRows::first_windowed.
    int64_t first_windowed_token() const { return first_window() * page_tokens_; }

    // Pages that growing by `count` tokens takes from the pool.
    int64_t pages_for(int64_t count) const;
    // Makes room for `count` more tokens, to be written next; on failure nothing has changed.
    Status grow(int64_t count);
    // Whether what the token at `length` would see is still there.
    bool can_go_back(int64_t length) const {
        return pool_.window().first_seen(length) >= first_window();
    }
    // Forgets the tokens from `length` on, or all of them if the sequence cannot go back there.
    void truncate(int64_t length);
    // Lets go the windows of pages that no token to come will see.
    void trim() { drop_windows(pool_.window().first_kept(length_)); }
    // Those of pages before `first`.
    void drop_windows(int64_t first);

    // Forgets full pages, given ascending, and moves what follows them together. The length must be a multiple of
    // page_tokens. What has left a window does not come back into it.
    void drop(std::span<const int64_t> pages);

    // Appends a page of someone else's, full of tokens. The length must be a multiple of page_tokens. Without its window,
    // so much must follow that no token sees it.
    void adopt(uint32_t page);
    // Likewise with a copy of the page's first `count` tokens; nothing happens if there is no page for it.
    void adopt_part(uint32_t page, int64_t count);
    // Holds another page of the same contents instead of the one at `index`.
    void replace(size_t index, uint32_t page);
    // An empty sequence comes to hold what another holds. What is written later is its own.
    void share(const Sequence& other);

  private:
    // True if the next token would be written to a page that others hold.
    bool writes_shared() const {
        return length_ % page_tokens_ != 0 && pool_.holders(pages_.back().page) > 1;
    }
    bool holds_window(size_t index) const { return index >= first_window_; }

    PagePool& pool_;
    int64_t page_tokens_;
    int64_t pages_max_;
    int64_t length_ = 0;
    std::vector<PageEntry> pages_;
    size_t first_window_ = 0;
};

}  // namespace ingle::kv
