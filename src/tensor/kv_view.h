// One layer's keys and values of one sequence, as kernels on the host see them: pages behind a page table.
//
//   page    = keys [kv_heads, key_dim, page_tokens], then values [kv_heads, page_tokens, value_dim]
//   token t = slot t % page_tokens of physical page table[t / page_tokens].page
//
// Keys are stored transposed, so that the scores of a whole page are sums of vectors and never of lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/float16.h"
#include "tensor/page_table.h"

namespace ingle {

enum class KvType : uint8_t { f32, f16 };

inline size_t bytes_of(KvType type) { return type == KvType::f32 ? 4 : 2; }

struct KvShape {
    int64_t kv_heads = 0;
    int64_t key_dim = 0;
    int64_t value_dim = 0;
};

struct KvView {
    std::byte* base = nullptr;        // first physical page of this layer
    size_t page_bytes = 0;            // distance between physical pages
    const PageEntry* table = nullptr;  // by logical page
    int64_t page_tokens = 0;
    int64_t pages_max = 0;            // physical pages there can be
    KvType key_type = KvType::f16;
    KvType value_type = KvType::f16;
    KvShape shape;

    size_t key_bytes() const {
        return size_t(shape.kv_heads * shape.key_dim * page_tokens) * bytes_of(key_type);
    }
    std::byte* page(int64_t token) const {
        return base + size_t(table[token / page_tokens].page) * page_bytes;
    }
    // Start of one head's keys [key_dim, page_tokens] and values [page_tokens, value_dim] in a page.
    std::byte* keys(std::byte* page, int64_t head) const {
        return page + size_t(head * shape.key_dim * page_tokens) * bytes_of(key_type);
    }
    std::byte* values(std::byte* page, int64_t head) const {
        return page + key_bytes() +
               size_t(head * page_tokens * shape.value_dim) * bytes_of(value_type);
    }

    float key(int64_t head, int64_t token, int64_t d) const {
        return load(keys(page(token), head), key_type, d * page_tokens + token % page_tokens);
    }
    float value(int64_t head, int64_t token, int64_t d) const {
        return load(values(page(token), head), value_type,
                    token % page_tokens * shape.value_dim + d);
    }
    void set_key(int64_t head, int64_t token, int64_t d, float x) const {
        store(keys(page(token), head), key_type, d * page_tokens + token % page_tokens, x);
    }
    void set_value(int64_t head, int64_t token, int64_t d, float x) const {
        store(values(page(token), head), value_type, token % page_tokens * shape.value_dim + d, x);
    }

  private:
    static float load(const std::byte* at, KvType type, int64_t i) {
        if (type == KvType::f32) return reinterpret_cast<const float*>(at)[i];
        return to_f32(reinterpret_cast<const f16*>(at)[i]);
    }
    static void store(std::byte* at, KvType type, int64_t i, float x) {
        if (type == KvType::f32) reinterpret_cast<float*>(at)[i] = x;
        else reinterpret_cast<f16*>(at)[i] = to_f16(x);
    }
};

}  // namespace ingle
