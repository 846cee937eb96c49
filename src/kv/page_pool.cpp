#include "kv/page_pool.h"

#include <cassert>

namespace ingle::kv {

PagePool::PagePool(int64_t capacity, std::span<backend::KvStore* const> stores, int64_t warm_max)
    : stores_(stores.begin(), stores.end()), holders_(size_t(capacity), 0), warm_max_(warm_max) {
    free_.reserve(size_t(capacity));
    for (int64_t page = capacity; page-- > 0;) free_.push_back(uint32_t(page));
}

int64_t PagePool::take() {
    if (free_.empty()) return -1;
    const uint32_t page = free_.back();
    free_.pop_back();
    if (warm_ > 0) --warm_;
    holders_[page] = 1;
    return page;
}

void PagePool::release(uint32_t page) {
    assert(holders_[page] > 0);
    if (--holders_[page] > 0) return;
    free_.push_back(page);
    if (++warm_ <= warm_max_) return;
    for (backend::KvStore* const store : stores_)
        store->discard(free_[free_.size() - size_t(warm_)]);
    --warm_;
}

void PagePool::copy(uint32_t from, uint32_t to) {
    for (backend::KvStore* const store : stores_) store->copy(from, to);
}

}  // namespace ingle::kv
