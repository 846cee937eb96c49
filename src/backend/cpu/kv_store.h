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
    void copy(uint32_t from, uint32_t to) override;
    Status read(uint32_t page, std::span<std::byte> out) override;
    Status write(uint32_t page, std::span<const std::byte> in) override;
    // The layer's pages, without a page table.
    KvView view(int layer) const;

  private:
    std::span<std::byte> bytes_of_page(size_t layer, uint32_t page) const {
        const uint64_t bytes = layout_.page_bytes(layer);
        return {regions_[layer].base + page * bytes, size_t(bytes)};
    }

    struct Region {
        std::byte* base = nullptr;
        uint64_t bytes = 0;
    };
    backend::KvLayout layout_;
    std::vector<Region> regions_;  // by layer
};

}  // namespace ingle::cpu
