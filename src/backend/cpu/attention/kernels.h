// The inner parts of attention on the CPU, one table of them per instruction set.
//
// Keys are cut into chunks of chunk_tokens absolute tokens. Of each chunk that a query row sees,
// a partial result is made:
//   highest = max s[t],   total = sum e^(s[t] - highest),
//   weighted[d] = sum e^(s[t] - highest) v[t][d]
// and partials are merged in ascending order of chunks. Both depend on the row alone: not on the
// tile it is computed in, nor on who computes which chunk. Types of the cache meet in a decoded
// tile of f32 (decode_text.h); f16 and f32 are also read where they lie, to the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/simd/isa.h"
#include "ops/attention.h"
#include "tensor/kv_view.h"

namespace ingle::cpu::attention {

inline constexpr int page_tokens = 32;  // the kernels are made for this page size
inline constexpr int chunk_tokens = 256;
inline constexpr int tile_rows_max = 64;

// Query rows (a query and a head each) of one sequence that share a KV head, and so each decoded page.
struct Tile {
    int rows = 0;
    const PageEntry* table = nullptr;
    int64_t kv_head = 0;
    const float* query[tile_rows_max];  // [key_dim]
    float* out[tile_rows_max];          // [value_dim]
    int64_t begin[tile_rows_max];       // the tokens that a row sees: [begin, end)
    int64_t end[tile_rows_max];

    int64_t first_chunk() const;
    int64_t last_chunk() const;
};

// A partial result is `partial_stride` floats: highest, total, then weighted[] from
// partial_header on, padded to 16.
inline constexpr int64_t partial_header = 16;
inline int64_t padded(int64_t columns) { return (columns + 15) / 16 * 16; }
inline int64_t whole_blocks(int64_t columns) { return (columns + 31) / 32 * 32; }
inline int64_t partial_stride(const ops::Attention& op) {
    return partial_header + padded(op.value_dim);
}

// Working memory of one thread, 64-byte aligned.
struct Scratch {
    float* turned;   // [rows of the tile, key_dim], queries rotated for tokens that moved
    float* queries;  // likewise, packed by blocks of rows
    float* scores;   // [tile_rows_max, chunk_tokens]
    float* page;     // one page's keys or values of a head as f32, whole blocks of 32
    float* weights;  // of a block of rows, times the scales of a page's values
    float* chunk;    // [tile_rows_max] partials
    float* running;  // likewise
};
size_t scratch_bytes(const ops::Attention& op);
Scratch scratch_at(std::byte* data, const ops::Attention& op);

// What a thread works on.
struct Work {
    const ops::Attention& op;
    const KvView& kv;
    const KvView& exact;  // the exact forms of its pages, if it is quantized
    const Tile& tile;
    const Scratch& scratch;
};

struct Kernels {
    // Packs [rows of the tile] queries into the scratch; before any scores.
    void (*pack_queries)(const Work&, const float* const* queries);
    // Scores of a chunk's pages that begin `first` to `last` tokens into it.
    void (*score)(const Work&, int64_t chunk, int64_t first, int64_t last);
    // The partials [rows] of a chunk whose pages all have their scores. Those of rows that see nothing of it are left as
    // they are.
    void (*attend)(const Work&, int64_t chunk, float* partials);
    // Adds the partial of the next chunk to what is there.
    void (*merge)(const ops::Attention&, float* into, const float* partial);
    // out = weighted / total
    void (*finish)(const ops::Attention&, const float* partial, float* out);
};
const Kernels& kernels(Isa isa);

// True if a row sees something of a chunk.
inline bool sees(const Tile& tile, int row, int64_t chunk) {
    return tile.begin[row] < (chunk + 1) * chunk_tokens && tile.end[row] > chunk * chunk_tokens;
}

}  // namespace ingle::cpu::attention
