// A mapped file that is cut, or whose disk fails, ends a process by SIGBUS when a lost page is touched. A range under
// guard reads as zeros there instead and remembers it, so that the model can be given up and the process lives.
#pragma once

#include <cstddef>
#include <span>

namespace ingle::platform {

class MappingGuard {
  public:
    // Guards `mapping`, whole pages that stay mapped as long as this object lives. Above some hundred guards at once
    // the rest stay without protection.
    explicit MappingGuard(std::span<const std::byte> mapping);
    ~MappingGuard();
    MappingGuard(const MappingGuard&) = delete;
    MappingGuard& operator=(const MappingGuard&) = delete;

    // True once a page could not be read.
    bool tripped() const;

  private:
    int slot_ = -1;
};

}  // namespace ingle::platform
