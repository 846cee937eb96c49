// Which physical pages hold which tokens of a sequence. Pages come from a pool of fixed capacity and go back when
// the sequence shrinks; nothing is copied when it grows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"

namespace ingle::kv {

// Hands out page numbers 0 ... capacity-1, lowest first.
class PagePool {
  public:
    explicit PagePool(int64_t capacity);

    // A free page, or nothing left: -1.
    int64_t take();
    void give_back(uint32_t page);
    int64_t capacity() const { return capacity_; }
    int64_t used() const { return capacity_ - int64_t(free_.size()); }

  private:
    int64_t capacity_;
    std::vector<uint32_t> free_;  // descending, so that the lowest is at the end
};

class Sequence {
  public:
    // Room for the pool's capacity is reserved, so that growing allocates nothing.
    Sequence(PagePool& pool, int64_t page_tokens);

    int64_t length() const { return length_; }
    std::span<const uint32_t> pages() const { return pages_; }

    // Makes room for `count` more tokens; on failure nothing has changed.
    Status grow(int64_t count);
    // Forgets the tokens from `length` on. Calls discard(page) for every page that becomes free.
    template <class Discard>
    void truncate(int64_t length, Discard&& discard) {
        length_ = length;
        const size_t keep = size_t((length + page_tokens_ - 1) / page_tokens_);
        while (pages_.size() > keep) {
            discard(pages_.back());
            pool_.give_back(pages_.back());
            pages_.pop_back();
        }
    }

  private:
    PagePool& pool_;
    int64_t page_tokens_;
    int64_t length_ = 0;
    std::vector<uint32_t> pages_;
};

}  // namespace ingle::kv
