#include "backend/cpu/kv_store.h"

#include <algorithm>

#include "base/checked.h"
#include "base/platform.h"

namespace ingle::cpu {

Result<std::unique_ptr<CpuKvStore>> CpuKvStore::make(const backend::KvLayout& layout) {
    auto store = std::make_unique<CpuKvStore>();
    store->layout_ = layout;
    const auto reserve_all = [&](std::vector<Region>& regions, auto&& page_bytes_of) {
        for (size_t i = 0; i < layout.layers.size(); ++i) {
            const uint64_t page_bytes = page_bytes_of(i);
            const auto bytes = checked_mul(page_bytes, uint64_t(layout.pages_max));
            regions.push_back({nullptr, 0, page_bytes});
            if (bytes && *bytes == 0) continue;
            void* const base = bytes ? platform::allocate_pages(*bytes) : nullptr;
            if (base == nullptr)
                return fail(Code::out_of_memory, "cannot reserve address space for ",
                            layout.pages_max, " KV pages of ",
                            human_bytes(layout.page_bytes() + layout.exact_page_bytes()));
            regions.back().base = static_cast<std::byte*>(base);
            regions.back().bytes = *bytes;
        }
        return Status();
    };
    INGLE_TRY(reserve_all(store->regions_, [&](size_t i) { return layout.page_bytes(i); }));
    INGLE_TRY(reserve_all(store->exact_, [&](size_t i) { return layout.exact_page_bytes(i); }));
    // Few of these pages are ever in use: a huge page for one of them would be mostly waste.
    for (const Region& region : store->exact_) platform::keep_pages_small(region.base, region.bytes);
    return store;
}

CpuKvStore::~CpuKvStore() {
    for (const Region& region : regions_) platform::free_pages(region.base, region.bytes);
    for (const Region& region : exact_) platform::free_pages(region.base, region.bytes);
}

void CpuKvStore::discard(uint32_t page) {
    for_each_span(page, [](std::span<std::byte> bytes) {
        platform::discard_pages(bytes.data(), bytes.size());
    });
}

void CpuKvStore::close(uint32_t page) {
    for (const Region& region : exact_)
        if (region.base != nullptr)
            platform::discard_pages(region.base + page * region.page_bytes, region.page_bytes);
}

void CpuKvStore::copy(uint32_t from, uint32_t to) {
    for (const std::vector<Region>* const regions : {&regions_, &exact_})
        for (const Region& region : *regions)
            if (region.base != nullptr)
                std::copy_n(region.base + from * region.page_bytes, region.page_bytes,
                            region.base + to * region.page_bytes);
}

Status CpuKvStore::read(uint32_t page, std::span<std::byte> out) {
    for_each_span(page, [&](std::span<const std::byte> bytes) {
        std::ranges::copy(bytes, out.begin());
        out = out.subspan(bytes.size());
    });
    return {};
}

Status CpuKvStore::write(uint32_t page, std::span<const std::byte> in) {
    for_each_span(page, [&](std::span<std::byte> bytes) {
        // What was given back reads as zeros, and is not taken again for them.
        const auto from = in.first(bytes.size());
        const auto is_zero = [](std::byte b) { return b == std::byte{0}; };
        if (!std::ranges::all_of(from, is_zero) || !std::ranges::all_of(bytes, is_zero))
            std::ranges::copy(from, bytes.begin());
        in = in.subspan(bytes.size());
    });
    return {};
}

KvView CpuKvStore::view(int layer) const {
    KvView view;
    view.base = regions_[size_t(layer)].base;
    view.page_bytes = regions_[size_t(layer)].page_bytes;
    view.exact_base = exact_[size_t(layer)].base;
    view.exact_page_bytes = exact_[size_t(layer)].page_bytes;
    view.pages_max = layout_.pages_max;
    view.set_types(layout_.layers[size_t(layer)], layout_.page_tokens, layout_.key_type,
                   layout_.value_type);
    return view;
}

}  // namespace ingle::cpu
