#include "backend/cpu/attention/kernels.h"

#include <algorithm>

#include "quant/support/iq4_levels.h"

namespace ingle::cpu::attention {

int64_t Tile::first_chunk() const { return *std::min_element(begin, begin + rows) / chunk_tokens; }

int64_t Tile::last_chunk() const { return (*std::max_element(end, end + rows) - 1) / chunk_tokens; }

namespace {

constexpr int64_t block_rows_most = 8;  // of any instruction set

struct Sizes {
    int64_t queries, scores, page, weights, partials;

    explicit Sizes(const ops::Attention& op)
        : queries(tile_rows_max * padded(op.key_dim)),
          scores(tile_rows_max * chunk_tokens),
          page(page_tokens * whole_blocks(std::max(op.key_dim, op.value_dim))),
          weights(block_rows_most * page_tokens * whole_blocks(op.value_dim) / 32),
          partials(tile_rows_max * partial_stride(op)) {}
};

}  // namespace

size_t scratch_bytes(const ops::Attention& op) {
    const Sizes sizes(op);
    return size_t(2 * sizes.queries + sizes.scores + sizes.page + sizes.weights + 2 * sizes.partials) *
           sizeof(float);
}

Scratch scratch_at(std::byte* data, const ops::Attention& op) {
    const Sizes sizes(op);
    Scratch scratch;
    scratch.turned = reinterpret_cast<float*>(data);
    scratch.queries = scratch.turned + sizes.queries;
    scratch.scores = scratch.queries + sizes.queries;
    scratch.page = scratch.scores + sizes.scores;
    scratch.weights = scratch.page + sizes.page;
    scratch.chunk = scratch.weights + sizes.weights;
    scratch.running = scratch.chunk + sizes.partials;
    return scratch;
}

}  // namespace ingle::cpu::attention

#define INGLE_KERNEL_NAMESPACE attention
#define INGLE_KERNEL_TEXT "backend/cpu/attention/kernel_text.h"
#define INGLE_KERNEL_TABLE Kernels
#include "base/simd/instantiate.h"

namespace ingle::cpu::attention {

const Kernels& kernels(Isa isa) { return table_for(isa); }

}  // namespace ingle::cpu::attention
