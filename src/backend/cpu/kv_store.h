// KV pages in host memory: one reservation a layer, committed page by page as tokens are written.
#pragma once

#include <vector>

#include "backend/backend.h"

namespace ingle::cpu {

class CpuKvStore final : public backend::KvStore {
  public:
    static Result<std::unique_ptr<CpuKvStore>> make(const backend::KvLayout& layout);
    ~CpuKvStore() override;

    Status commit(uint32_t page) override;
    void discard(uint32_t page) override;
    void copy(uint32_t from, uint32_t to) override;
    void discard_window(uint32_t page) override;
    Status read(uint32_t page, backend::PagePart part, std::span<std::byte> out) override;
    Status write(uint32_t page, backend::PagePart part, std::span<const std::byte> in) override;
    // A full page that no query will be in any more: gives its exact forms back.
    void close(uint32_t page);
    const backend::KvLayout& layout() const { return layout_; }
    // The layer's pages, without a page table.
    KvView view(int layer) const;

  private:
    struct Region {
        std::byte* base = nullptr;
        uint64_t bytes = 0;
        uint64_t page_bytes = 0;
        backend::PagePart part = backend::PagePart::lasting;

        std::span<std::byte> page(uint32_t number) const {
            return {base + number * page_bytes, size_t(page_bytes)};
        }
    };
    // f(region) for every layer that has any, and likewise for the exact forms.
    template <class F>
    void for_each_region(F&& f) const {
        for (const std::vector<Region>* const regions : {&regions_, &exact_})
            for (const Region& region : *regions)
                if (region.base != nullptr) f(region);
    }
    // f(bytes of the page), of the regions of one part.
    template <class F>
    void for_each_span(uint32_t page, backend::PagePart part, F&& f) const {
        for_each_region([&](const Region& region) {
            if (region.part == part) f(region.page(page));
        });
    }

    void discard_part(uint32_t page, backend::PagePart part);

    backend::KvLayout layout_;
    std::vector<Region> regions_;  // by layer
    std::vector<Region> exact_;    // likewise, exact forms; empty if there are none
};

}  // namespace ingle::cpu
