// Which pages hold which tokens of a sequence. Pages come from a pool and go back when the sequence shrinks or ends;
// nothing is copied when it grows. Several sequences may hold the same page; who writes to one gets a copy first.
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

    // Pages that growing by `count` tokens takes from the pool.
    int64_t pages_for(int64_t count) const;
    // Makes room for `count` more tokens, to be written next; on failure nothing has changed.
    Status grow(int64_t count);
    // Forgets the tokens from `length` on.
    void truncate(int64_t length);

    // Forgets full pages, given ascending, and moves what follows them together. The length must be a multiple of
    // page_tokens.
    void drop(std::span<const int64_t> pages);

    // Appends a page of someone else's, full of tokens. The length must be a multiple of page_tokens.
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

    PagePool& pool_;
    int64_t page_tokens_;
    int64_t pages_max_;
    int64_t length_ = 0;
    std::vector<PageEntry> pages_;
};

}  // namespace ingle::kv
