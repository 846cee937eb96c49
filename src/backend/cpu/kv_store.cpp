#include "backend/cpu/kv_store.h"

#include <algorithm>

#include "base/checked.h"
#include "base/platform.h"

namespace ingle::cpu {

Result<std::unique_ptr<CpuKvStore>> CpuKvStore::make(const backend::KvLayout& layout) {
    auto store = std::make_unique<CpuKvStore>();
    store->layout_ = layout;
    store->regions_.resize(layout.layers.size());
    for (size_t i = 0; i < layout.layers.size(); ++i) {
        const auto bytes = checked_mul(layout.page_bytes(i), uint64_t(layout.pages_max));
        if (bytes && *bytes == 0) continue;
        void* const base = bytes ? platform::allocate_pages(*bytes) : nullptr;
        if (base == nullptr)
            return fail(Code::out_of_memory, "cannot reserve address space for ",
                        layout.pages_max, " KV pages of ", human_bytes(layout.page_bytes()));
        store->regions_[i] = {static_cast<std::byte*>(base), *bytes};
    }
    return store;
}

CpuKvStore::~CpuKvStore() {
    for (const Region& region : regions_) platform::free_pages(region.base, region.bytes);
}

void CpuKvStore::discard(uint32_t page) {
    for (size_t i = 0; i < regions_.size(); ++i) {
        const std::span<std::byte> bytes = bytes_of_page(i, page);
        if (!bytes.empty()) platform::discard_pages(bytes.data(), bytes.size());
    }
}

void CpuKvStore::copy(uint32_t from, uint32_t to) {
    for (size_t i = 0; i < regions_.size(); ++i)
        std::ranges::copy(bytes_of_page(i, from), bytes_of_page(i, to).begin());
}

Status CpuKvStore::read(uint32_t page, std::span<std::byte> out) {
    auto at = out.begin();
    for (size_t i = 0; i < regions_.size(); ++i)
        at = std::ranges::copy(bytes_of_page(i, page), at).out;
    return {};
}

Status CpuKvStore::write(uint32_t page, std::span<const std::byte> in) {
    for (size_t i = 0; i < regions_.size(); ++i) {
        const std::span<std::byte> bytes = bytes_of_page(i, page);
        std::ranges::copy(in.first(bytes.size()), bytes.begin());
        in = in.subspan(bytes.size());
    }
    return {};
}

KvView CpuKvStore::view(int layer) const {
    KvView view;
    view.base = regions_[size_t(layer)].base;
    view.page_bytes = layout_.page_bytes(size_t(layer));
    view.page_tokens = layout_.page_tokens;
    view.pages_max = layout_.pages_max;
    view.key_type = layout_.key_type;
    view.value_type = layout_.value_type;
    view.shape = layout_.layers[size_t(layer)];
    return view;
}

}  // namespace ingle::cpu
