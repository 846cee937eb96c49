#include "backend/cpu/kv_store.h"

#include <algorithm>

#include "base/checked.h"
#include "base/platform.h"

namespace ingle::cpu {

namespace {

// What was given back reads as zeros, and is not taken again for them.
void put(std::span<const std::byte> from, std::span<std::byte> to) {
    const auto is_zero = [](std::byte b) { return b == std::byte{0}; };
    if (!std::ranges::all_of(from, is_zero) || !std::ranges::all_of(to, is_zero))
        std::ranges::copy(from, to.begin());
}

}  // namespace

Result<std::unique_ptr<CpuKvStore>> CpuKvStore::make(const backend::KvLayout& layout) {
    auto store = std::make_unique<CpuKvStore>();
    store->layout_ = layout;
    const auto reserve_all = [&](std::vector<Region>& regions, auto&& page_bytes_of) {
        for (size_t i = 0; i < layout.layers.size(); ++i) {
            const uint64_t page_bytes = page_bytes_of(i);
            const auto bytes = checked_mul(page_bytes, uint64_t(layout.pages_max));
            const auto part = layout.windowed(i) ? backend::PagePart::windowed
                                                 : backend::PagePart::lasting;
            regions.push_back({nullptr, 0, page_bytes, part});
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
    for (const Region& region : store->regions_)
        if (region.part == backend::PagePart::windowed)
            platform::keep_pages_small(region.base, region.bytes);
    return store;
}

CpuKvStore::~CpuKvStore() {
    for (const Region& region : regions_) platform::free_pages(region.base, region.bytes);
    for (const Region& region : exact_) platform::free_pages(region.base, region.bytes);
}

Status CpuKvStore::commit(uint32_t page) {
    bool there = true;
    for_each_region([&](const Region& region) {
        const std::span<std::byte> bytes = region.page(page);
        there = there && platform::commit_pages(bytes.data(), bytes.size());
    });
    if (there) return {};
    discard(page);
    return fail(Code::out_of_memory, "the system has no memory for another ",
                human_bytes(layout_.page_bytes() + layout_.exact_page_bytes()),
                " of keys and values");
}

void CpuKvStore::discard(uint32_t page) {
    for (const auto part : {backend::PagePart::lasting, backend::PagePart::windowed})
        discard_part(page, part);
}

void CpuKvStore::discard_window(uint32_t page) {
    discard_part(page, backend::PagePart::windowed);
}

void CpuKvStore::discard_part(uint32_t page, backend::PagePart part) {
    for_each_span(page, part, [](std::span<std::byte> bytes) {
        platform::discard_pages(bytes.data(), bytes.size());
    });
}

void CpuKvStore::close(uint32_t page) {
    for (const Region& region : exact_)
        if (region.base != nullptr)
            platform::discard_pages(region.base + page * region.page_bytes, region.page_bytes);
}

void CpuKvStore::copy(uint32_t from, uint32_t to) {
    for_each_region([&](const Region& region) { put(region.page(from), region.page(to)); });
}

Status CpuKvStore::read(uint32_t page, backend::PagePart part, std::span<std::byte> out) {
    for_each_span(page, part, [&](std::span<const std::byte> bytes) {
        std::ranges::copy(bytes, out.begin());
        out = out.subspan(bytes.size());
    });
    return {};
}

Status CpuKvStore::write(uint32_t page, backend::PagePart part, std::span<const std::byte> in) {
    for_each_span(page, part, [&](std::span<std::byte> bytes) {
        put(in.first(bytes.size()), bytes);
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
