// Pieces of one stretch of memory, planned before there is any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ingle::cpu {

// Room for values of one type at a place in the stretch.
template <class T>
struct Region {
    uint64_t offset = 0;

    T* in(std::byte* memory) const { return reinterpret_cast<T*>(memory + offset); }
};

class RegionPlan {
  public:
    template <class T>
    Region<T> add(int64_t count) {
        const uint64_t at = bytes_;
        bytes_ += (uint64_t(count) * sizeof(T) + 63) / 64 * 64;
        return {at};
    }
    uint64_t bytes() const { return bytes_; }

  private:
    uint64_t bytes_ = 0;
};

}  // namespace ingle::cpu
