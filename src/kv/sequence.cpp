#include "kv/sequence.h"

#include <algorithm>
#include <cassert>

namespace ingle::kv {

Sequence::Sequence(PagePool& pool, int64_t page_tokens, int64_t pages_max)
    : pool_(pool), page_tokens_(page_tokens), pages_max_(pages_max) {
    pages_.reserve(size_t(pages_max));
}

int64_t Sequence::pages_for(int64_t count) const {
    const int64_t needed = (length_ + count + page_tokens_ - 1) / page_tokens_;
    return needed - int64_t(pages_.size()) + (count > 0 && writes_shared() ? 1 : 0);
}

Status Sequence::grow(int64_t count) {
    const int64_t needed = (length_ + count + page_tokens_ - 1) / page_tokens_;
    if (pages_for(count) > pool_.available() || needed > pages_max_)
        return fail(Code::limit, "the context is full: ", length_, " of ",
                    std::min(pages_max_, pool_.capacity()) * page_tokens_, " tokens are used, ",
                    count, " more were asked for");
    if (count > 0 && writes_shared()) {
        const auto own = uint32_t(pool_.take());
        pool_.copy(pages_.back().page, own);
        pool_.release(pages_.back().page);
        pages_.back().page = own;
    }
    while (int64_t(pages_.size()) < needed) pages_.push_back({uint32_t(pool_.take())});
    length_ += count;
    return {};
}

void Sequence::truncate(int64_t length) {
    length_ = length;
    const size_t keep = size_t((length + page_tokens_ - 1) / page_tokens_);
    while (pages_.size() > keep) {
        pool_.release(pages_.back().page);
        pages_.pop_back();
    }
}

void Sequence::drop(std::span<const int64_t> pages) {
    assert(length_ % page_tokens_ == 0);
    size_t dropped = 0;
    for (size_t i = 0; i < pages_.size(); ++i) {
        if (dropped < pages.size() && pages[dropped] == int64_t(i)) {
            pool_.release(pages_[i].page);
            ++dropped;
            continue;
        }
        PageEntry& moved = pages_[i - dropped] = pages_[i];
        moved.shift -= int32_t(int64_t(dropped) * page_tokens_);
    }
    pages_.resize(pages_.size() - dropped);
    length_ -= int64_t(dropped) * page_tokens_;
}

void Sequence::adopt(uint32_t page) {
    assert(length_ % page_tokens_ == 0);
    pool_.share(page);
    pages_.push_back({page});
    length_ += page_tokens_;
}

void Sequence::adopt_part(uint32_t page, int64_t count) {
    assert(length_ % page_tokens_ == 0 && count < page_tokens_ + 1);
    const int64_t own = pool_.take();
    if (own < 0) return;
    pool_.copy(page, uint32_t(own));
    pages_.push_back({uint32_t(own)});
    length_ += count;
}

void Sequence::replace(size_t index, uint32_t page) {
    pool_.share(page);
    pool_.release(pages_[index].page);
    pages_[index].page = page;
}

void Sequence::share(const Sequence& other) {
    assert(pages_.empty());
    for (const PageEntry& entry : other.pages_) {
        pool_.share(entry.page);
        pages_.push_back(entry);
    }
    length_ = other.length_;
}

}  // namespace ingle::kv
