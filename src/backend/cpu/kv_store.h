// KV pages in host memory: one reservation a layer, committed page by page as tokens are written.
#pragma once

#include <vector>

#include "backend/backend.h"

namespace ingle::cpu {

class CpuKvStore final : public backend::KvStore {
  public:
    static Result<std::unique_ptr<CpuKvStore>> make(const backend::KvLayout& layout);
    ~CpuKvStore() override;

    void discard(uint32_t page) override;
    // The layer's pages, without a page table.
    KvView view(int layer) const;

  private:
    struct Region {
        std::byte* base = nullptr;
        uint64_t bytes = 0;
    };
    backend::KvLayout layout_;
    std::vector<Region> regions_;  // by layer
};

}  // namespace ingle::cpu
