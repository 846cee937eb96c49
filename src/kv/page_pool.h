// The pages of a cache and how many hold each of them. A page that nobody holds goes back; its memory, too, except for
// the last few, which are likely to be taken again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/backend.h"

namespace ingle::kv {

class PagePool {
  public:
    // Pages 0 ... capacity-1 of every one of `stores`, which must outlive the pool. Up to `warm_max` free pages keep
    // their memory.
    PagePool(int64_t capacity, std::span<backend::KvStore* const> stores, int64_t warm_max = 0);

    // A page with one holder, or -1 if there is none left.
    int64_t take();
    // One more holder of a page that has some.
    void share(uint32_t page) { ++holders_[page]; }
    // One holder less.
    void release(uint32_t page);
    // The contents of a page become those of another.
    void copy(uint32_t from, uint32_t to);

    int64_t holders(uint32_t page) const { return holders_[page]; }
    int64_t capacity() const { return int64_t(holders_.size()); }
    int64_t available() const { return int64_t(free_.size()); }
    int64_t used() const { return capacity() - available(); }
    // Pages whose memory is committed.
    int64_t committed() const { return used() + warm_; }

  private:
    std::vector<backend::KvStore*> stores_;
    std::vector<int32_t> holders_;  // by page
    std::vector<uint32_t> free_;    // those with memory at the end
    int64_t warm_ = 0;              // how many those are
    int64_t warm_max_;
};

}  // namespace ingle::kv
