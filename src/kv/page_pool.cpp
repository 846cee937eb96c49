#include "kv/page_pool.h"

#include <cassert>

namespace ingle::kv {

PagePool::PagePool(int64_t capacity, std::span<backend::KvStore* const> stores,
                   const PoolOptions& options)
    : stores_(stores.begin(), stores.end()), options_(options), holders_(size_t(capacity), 0) {
    if (drops_windows()) window_holders_.assign(size_t(capacity), 0);
    free_.reserve(size_t(capacity));
    for (int64_t page = capacity; page-- > 0;) free_.push_back(uint32_t(page));
}

Result<uint32_t> PagePool::take() {
    if (free_.empty() || windows_available() <= 0)
        return fail(Code::limit, "no page of keys and values is free");
    const uint32_t page = free_.back();
    if (warm_ > 0) --warm_;
    else
        for (backend::KvStore* const store : stores_) INGLE_TRY(store->commit(page));
    free_.pop_back();
    holders_[page] = 1;
    share_window(page);
    return page;
}

void PagePool::share(uint32_t page, bool window) {
    ++holders_[page];
    if (window) share_window(page);
}

void PagePool::share_window(uint32_t page) {
    if (drops_windows() && window_holders_[page]++ == 0) ++windows_;
}

// Of a page that goes back as a whole the window goes with it.
void PagePool::release(uint32_t page, bool window) {
    assert(holders_[page] > 0);
    if (holders_[page] > 1) {
        if (window) release_window(page);
        --holders_[page];
        return;
    }
    holders_[page] = 0;
    if (window && drops_windows() && --window_holders_[page] == 0) --windows_;
    free_.push_back(page);
    if (++warm_ <= options_.warm_max) return;
    for (backend::KvStore* const store : stores_)
        store->discard(free_[free_.size() - size_t(warm_)]);
    --warm_;
}

void PagePool::release_window(uint32_t page) {
    if (!drops_windows()) return;
    assert(window_holders_[page] > 0);
    if (--window_holders_[page] > 0) return;
    --windows_;
    for (backend::KvStore* const store : stores_) store->discard_window(page);
}

void PagePool::copy(uint32_t from, uint32_t to) {
    for (backend::KvStore* const store : stores_) store->copy(from, to);
}

}  // namespace ingle::kv
