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
    trim();
    const int64_t needed = (length_ + count + page_tokens_ - 1) / page_tokens_;
    if (pages_for(count) > pool_.available() || needed > pages_max_)
        return fail(Code::limit, "the context is full: ", length_, " of ",
                    std::min(pages_max_, pool_.capacity()) * page_tokens_, " tokens are used, ",
                    count, " more were asked for");
    if (pages_for(count) > pool_.windows_available())
        return fail(Code::limit, "the cache has room for ", pool_.windows_available(),
                    " more pages of layers with a sliding window, ", pages_for(count),
                    " were asked for");
    if (count > 0 && writes_shared()) {
        INGLE_ASSIGN(const uint32_t own, pool_.take());
        pool_.copy(pages_.back().page, own);
        pool_.release(pages_.back().page, holds_window(pages_.size() - 1));
        pages_.back().page = own;
    }
    const size_t before = pages_.size();
    while (int64_t(pages_.size()) < needed) {
        const auto page = pool_.take();
        if (!page.ok()) {
            for (; pages_.size() > before; pages_.pop_back()) pool_.release(pages_.back().page, true);
            return page.status();
        }
        pages_.push_back({*page});
    }
    length_ += count;
    return {};
}

void Sequence::truncate(int64_t length) {
    if (length < length_ && !can_go_back(length)) length = 0;
    length_ = length;
    const size_t keep = size_t((length + page_tokens_ - 1) / page_tokens_);
    while (pages_.size() > keep) {
        pool_.release(pages_.back().page, holds_window(pages_.size() - 1));
        pages_.pop_back();
    }
    first_window_ = std::min(first_window_, pages_.size());
}

void Sequence::drop_windows(int64_t first) {
    const size_t end = std::min(size_t(std::max<int64_t>(first, 0)), pages_.size());
    for (; first_window_ < end; ++first_window_) pool_.release_window(pages_[first_window_].page);
}

void Sequence::drop(std::span<const int64_t> pages) {
    assert(length_ % page_tokens_ == 0);
    // As few as can be, so that what is seen from now on follows from the length alone.
    drop_windows(pool_.window().first_seen(length_));
    size_t dropped = 0;
    size_t windows_before = first_window_;
    for (size_t i = 0; i < pages_.size(); ++i) {
        if (dropped < pages.size() && pages[dropped] == int64_t(i)) {
            pool_.release(pages_[i].page, holds_window(i));
            windows_before -= i < first_window_ ? 1 : 0;
            ++dropped;
            continue;
        }
        PageEntry& moved = pages_[i - dropped] = pages_[i];
        moved.shift -= int32_t(int64_t(dropped) * page_tokens_);
    }
    pages_.resize(pages_.size() - dropped);
    first_window_ = windows_before;
    length_ -= int64_t(dropped) * page_tokens_;
}

void Sequence::adopt(uint32_t page) {
    assert(length_ % page_tokens_ == 0);
    const bool window = pool_.has_window(page);
    pool_.share(page, window);
    pages_.push_back({page});
    length_ += page_tokens_;
    if (!window) {
        drop_windows(int64_t(pages_.size()) - 1);
        first_window_ = pages_.size();
    }
}

void Sequence::adopt_part(uint32_t page, int64_t count) {
    assert(length_ % page_tokens_ == 0 && count < page_tokens_ + 1);
    const auto own = pool_.take();
    if (!own.ok()) return;
    pool_.copy(page, *own);
    pages_.push_back({*own});
    length_ += count;
}

void Sequence::replace(size_t index, uint32_t page) {
    const uint32_t own = pages_[index].page;
    const bool window = holds_window(index);
    if (window && !pool_.has_window(page)) pool_.copy(own, page);
    pool_.share(page, window);
    pool_.release(own, window);
    pages_[index].page = page;
}

void Sequence::share(const Sequence& other) {
    assert(pages_.empty());
    for (const PageEntry& entry : other.pages_) {
        pool_.share(entry.page, other.holds_window(pages_.size()));
        pages_.push_back(entry);
    }
    length_ = other.length_;
    first_window_ = other.first_window_;
}

}  // namespace ingle::kv
