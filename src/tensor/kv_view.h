// One layer's keys and values of one sequence, as kernels on the host see them: pages behind a page table.
//
//   page    = keys of each head, then values of each head (kv_type.h: KvRows)
//   token t = slot t % page_tokens of physical page table[t / page_tokens].page
//
// A quantized cache holds, beside these, an exact form in f16 of the first page (what all attend to most) and of the page
// that is being written. A query sees the exact form of the first page and of its own, the quantized form of all others:
// a function of two positions, whatever was computed together. Exact forms no query can ask for are given back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tensor/hadamard.h"
#include "tensor/kv_type.h"
#include "tensor/page_table.h"

namespace ingle {

struct KvShape {
    int64_t kv_heads = 0;
    int64_t key_dim = 0;
    int64_t value_dim = 0;
    int64_t window = 0;  // tokens that a query sees at most, itself among them; 0: all

    // Bytes of one layer's page.
    int64_t page_bytes(KvType key_type, KvType value_type, int64_t page_tokens) const {
        return kv_heads * page_tokens * (row_bytes(key_type, key_dim) + row_bytes(value_type, value_dim));
    }
};

struct KvView {
    std::byte* base = nullptr;        // first physical page of this layer
    size_t page_bytes = 0;            // distance between physical pages
    std::byte* exact_base = nullptr;  // of the exact forms, f16; null unless a type is quantized
    size_t exact_page_bytes = 0;
    const PageEntry* table = nullptr;  // by logical page
    int64_t page_tokens = 0;
    int64_t pages_max = 0;            // physical pages there can be
    KvType key_type = KvType::f16;
    KvType value_type = KvType::f16;
    KvShape shape;
    int64_t key_head_bytes = 0;       // of a page
    int64_t value_head_bytes = 0;

    // Says how pages are stored; the sizes that follow from it are settled here.
    void set_types(const KvShape& of_layer, int64_t tokens, KvType keys, KvType values) {
        shape = of_layer;
        page_tokens = tokens;
        key_type = keys;
        value_type = values;
        key_head_bytes = tokens * row_bytes(keys, shape.key_dim);
        value_head_bytes = tokens * row_bytes(values, shape.value_dim);
    }

    std::byte* page(int64_t token) const {
        return base + size_t(table[token / page_tokens].page) * page_bytes;
    }
    // One head's keys and values in a page.
    KvRows keys(std::byte* page, int64_t head) const {
        return {key_type, page + head * key_head_bytes, shape.key_dim, page_tokens};
    }
    KvRows values(std::byte* page, int64_t head) const {
        return {value_type, page + shape.kv_heads * key_head_bytes + head * value_head_bytes,
                shape.value_dim, page_tokens};
    }

    bool keys_have_exact() const { return info(key_type).quantized; }
    bool values_have_exact() const { return info(value_type).quantized; }
    // The exact forms as pages of their own.
    KvView exact() const {
        KvView view = *this;
        view.base = exact_base;
        view.page_bytes = exact_page_bytes;
        view.set_types(shape, page_tokens, KvType::f16, KvType::f16);
        return view;
    }
    // Whether a query sees the exact form of a token, where there is one.
    bool sees_exact(int64_t token, int64_t query) const {
        return token < page_tokens || token / page_tokens == query / page_tokens;
    }

    // Heads are stored turned by Hadamard matrices of this size; 1: as they are.
    int64_t key_rotation() const {
        return info(key_type).rotated ? hadamard_size(shape.key_dim) : 1;
    }
    int64_t value_rotation() const {
        return info(value_type).rotated ? hadamard_size(shape.value_dim) : 1;
    }

    // A head's key, turned as it is stored, in all its forms.
    void put_key(int64_t head, int64_t token, const float* turned) const {
        keys(page(token), head).put_key(token % page_tokens, turned);
        if (!keys_have_exact()) return;
        const KvView whole = exact();
        whole.keys(whole.page(token), head).put_key(token % page_tokens, turned);
    }
    void put_value(int64_t head, int64_t token, const float* turned) const {
        values(page(token), head).put_value(token % page_tokens, turned);
        if (!values_have_exact()) return;
        const KvView whole = exact();
        whole.values(whole.page(token), head).put_value(token % page_tokens, turned);
    }
    // As the query at a position sees it, still turned.
    void get_key(int64_t head, int64_t token, int64_t query, float* turned) const {
        const bool whole = keys_have_exact() && sees_exact(token, query);
        const KvView view = whole ? exact() : *this;
        view.keys(view.page(token), head).get_key(token % page_tokens, turned);
    }
    void get_value(int64_t head, int64_t token, int64_t query, float* turned) const {
        const bool whole = values_have_exact() && sees_exact(token, query);
        const KvView view = whole ? exact() : *this;
        view.values(view.page(token), head).get_value(token % page_tokens, turned);
    }
};

}  // namespace ingle
