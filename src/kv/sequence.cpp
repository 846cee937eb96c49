#include "kv/sequence.h"

namespace ingle::kv {

PagePool::PagePool(int64_t capacity) : capacity_(capacity) {
    free_.reserve(size_t(capacity));
    for (int64_t page = capacity; page-- > 0;) free_.push_back(uint32_t(page));
}

int64_t PagePool::take() {
    if (free_.empty()) return -1;
    const uint32_t page = free_.back();
    free_.pop_back();
    return page;
}

void PagePool::give_back(uint32_t page) { free_.push_back(page); }

Sequence::Sequence(PagePool& pool, int64_t page_tokens) : pool_(pool), page_tokens_(page_tokens) {
    pages_.reserve(size_t(pool.capacity()));
}

Status Sequence::grow(int64_t count) {
    const size_t needed = size_t((length_ + count + page_tokens_ - 1) / page_tokens_);
    const size_t before = pages_.size();
    while (pages_.size() < needed) {
        const int64_t page = pool_.take();
        if (page < 0) {
            while (pages_.size() > before) pool_.give_back(pages_.back()), pages_.pop_back();
            return fail(Code::limit, "the context is full: ", length_, " of ",
                        pool_.capacity() * page_tokens_, " tokens are used, ", count,
                        " more were asked for");
        }
        pages_.push_back(uint32_t(page));
    }
    length_ += count;
    return {};
}

}  // namespace ingle::kv
