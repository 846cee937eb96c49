// Numbers in the order of their last use: a list through tables as long as there are numbers, so that nothing is
// allocated when they come and go.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

namespace ingle::kv {

class RecencyList {
  public:
    explicit RecencyList(int64_t numbers) : links_(size_t(numbers)) {}

    bool contains(int64_t number) const { return links_[size_t(number)].listed; }
    // -1 if there is none.
    int64_t oldest() const { return oldest_; }
    int64_t size() const { return size_; }

    // As the newest.
    void add(int64_t number) {
        Links& fresh = links_[size_t(number)];
        assert(!fresh.listed);
        fresh = {newest_, -1, true};
        if (newest_ >= 0) links_[size_t(newest_)].newer = number;
        newest_ = number;
        if (oldest_ < 0) oldest_ = number;
        ++size_;
    }
    void remove(int64_t number) {
        Links& gone = links_[size_t(number)];
        assert(gone.listed);
        (gone.newer >= 0 ? links_[size_t(gone.newer)].older : newest_) = gone.older;
        (gone.older >= 0 ? links_[size_t(gone.older)].newer : oldest_) = gone.newer;
        gone = {};
        --size_;
    }

  private:
    struct Links {
        int64_t older = -1, newer = -1;
        bool listed = false;
    };

    std::vector<Links> links_;
    int64_t newest_ = -1, oldest_ = -1;
    int64_t size_ = 0;
};

}  // namespace ingle::kv
