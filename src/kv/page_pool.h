// The pages of a cache and how many hold each of them. A page that nobody holds goes back; its memory, too, except for
// the last few, which are likely to be taken again.
//
// Of layers with a sliding window (KvLayout::drops_windows) a page is needed for a short time only: that part of it, its
// window, is held, counted and given back by itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "kv/window.h"

namespace ingle::kv {

struct PoolOptions {
    int64_t warm_max = 0;     // free pages that keep their memory
    Window window = {};       // of the layers that drop theirs
    int64_t windows_max = 0;  // held at once; of use if there is a window
};

class PagePool {
  public:
    // Pages 0 ... capacity-1 of every one of `stores`, which must outlive the pool.
    PagePool(int64_t capacity, std::span<backend::KvStore* const> stores,
             const PoolOptions& options = {});

    // A page and its window with one holder. Fails if there is none left, or no memory for it.
    Result<uint32_t> take();
    // One more holder of a page that has some, and of its window if asked.
    void share(uint32_t page, bool window);
    // One holder less.
    void release(uint32_t page, bool window);
    // Of a window alone.
    void share_window(uint32_t page);
    void release_window(uint32_t page);
    // The contents of a page become those of another.
    void copy(uint32_t from, uint32_t to);

    int64_t holders(uint32_t page) const { return holders_[page]; }
    int64_t capacity() const { return int64_t(holders_.size()); }
    // Pages that can be taken.
    int64_t available() const { return int64_t(free_.size()); }
    int64_t used() const { return capacity() - available(); }
    // Pages whose memory is committed.
    int64_t committed() const { return used() + warm_; }

    const Window& window() const { return options_.window; }
    bool drops_windows() const { return options_.window.tokens > 0; }
    // Whether what layers with a window know of a page is there.
    bool has_window(uint32_t page) const { return !drops_windows() || window_holders_[page] > 0; }
    int64_t windows_available() const {
        return drops_windows() ? options_.windows_max - windows_ : capacity();
    }
    int64_t windows_used() const { return windows_; }
    int64_t windows_max() const { return drops_windows() ? options_.windows_max : 0; }
    int64_t windows_committed() const { return drops_windows() ? windows_ + warm_ : 0; }

  private:
    std::vector<backend::KvStore*> stores_;
    PoolOptions options_;
    std::vector<int32_t> holders_;         // by page
    std::vector<int32_t> window_holders_;  // by page; empty if no layer drops its window
    std::vector<uint32_t> free_;           // those with memory at the end
    int64_t warm_ = 0;                     // how many those are
    int64_t windows_ = 0;                  // held
};

}  // namespace ingle::kv
