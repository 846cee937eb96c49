// Attention for one instruction set (see kernels.h). Included inside a namespace of its own,
// after floats_*.h.
//
// Scores of a page are [rows, 32 tokens] tiles of sums over key_dim: keys lie transposed, so
// tokens fill the lanes. Outputs are [rows, value_dim] tiles of sums over tokens, ascending.
// Every sum is one chain of fma, whatever the tile's shape.

constexpr int page_vectors = page_tokens / lanes;

// Vectors of 16 in a tile of `rows` sums, at most `most`: few rows get wide tiles, to have enough
// independent chains.
constexpr int tile_width(int rows, int most) {
    int width = most;
    while (width > 1 && width * rows > accumulators) width /= 2;
    return width;
}

struct Range {
    int64_t begin, end;
};
INGLE_INLINE int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }
INGLE_INLINE int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

// The tokens that a row sees of a chunk, relative to its start; empty: end <= begin.
INGLE_INLINE Range visible(const Tile& tile, int row, int64_t chunk) {
    const int64_t start = chunk * chunk_tokens;
    return {later(tile.begin[row] - start, 0), earlier(tile.end[row] - start, chunk_tokens)};
}
// The least range that holds what each of the rows sees, and the greatest that all of them see.
INGLE_INLINE Range union_of(const Range* rows, int count) {
    Range all = {chunk_tokens, 0};
    for (int r = 0; r < count; ++r) {
        if (rows[r].end <= rows[r].begin) continue;
        all = {earlier(all.begin, rows[r].begin), later(all.end, rows[r].end)};
    }
    return all;
}
INGLE_INLINE Range intersection_of(const Range* rows, int count) {
    Range all = {0, chunk_tokens};
    for (int r = 0; r < count; ++r)
        all = {later(all.begin, rows[r].begin), earlier(all.end, rows[r].end)};
    return all;
}

// Keys or values of one page: vectors `stride` apart. While they are read, the memory at `next` is
// fetched, as much as is read.
template <class T>
struct Page {
    const T* data;
    int64_t stride;
    const std::byte* next;

    INGLE_INLINE Floats at(int64_t row, int64_t column) const {
        const int64_t offset = row * stride + column;
        __builtin_prefetch(next + offset * int64_t(sizeof(T)));
        return load(data + offset);
    }
};
template <class T>
INGLE_INLINE Page<T> page_of(const T* data, int64_t stride, const void* next) {
    return {data, stride, static_cast<const std::byte*>(next)};
}

// Rows of sums in memory, `stride` apart.
struct Sums {
    float* data;
    int64_t stride;
};

// scores[r][t] = scale * sum_d queries[d][r] * keys[d][t], t < 32;  scores are chunk_tokens apart.
template <int Rows, class Key>
void page_scores(const Page<Key>& keys, const float* queries, int64_t key_dim, float scale,
                 float* scores) {
    constexpr int width = tile_width(Rows, page_vectors);
    for (int column = 0; column < page_tokens; column += width * lanes) {
        Floats sums[Rows][width];
        INGLE_UNROLL for (int r = 0; r < Rows; ++r)
            INGLE_UNROLL for (int w = 0; w < width; ++w) sums[r][w] = zero();
        for (int64_t d = 0; d < key_dim; ++d) {
            Floats key[width];
            INGLE_UNROLL for (int w = 0; w < width; ++w)
                key[w] = keys.at(d, column + w * lanes);
            INGLE_UNROLL for (int r = 0; r < Rows; ++r) {
                const Floats query = broadcast(queries[d * Rows + r]);
                INGLE_UNROLL for (int w = 0; w < width; ++w)
                    sums[r][w] = fma(query, key[w], sums[r][w]);
            }
        }
        INGLE_UNROLL for (int r = 0; r < Rows; ++r)
            INGLE_UNROLL for (int w = 0; w < width; ++w)
                store(scores + r * chunk_tokens + column + w * lanes,
                      mul(sums[r][w], broadcast(scale)));
    }
}

// out[r][d] += sum_t weights[r][t] * values[t][d] for `Width` vectors of d from `column` on; rows of
// weights are chunk_tokens apart.
template <int Rows, int Width, class Value>
INGLE_INLINE void add_values(const Page<Value>& values, const float* weights, int64_t tokens,
                             int64_t column, Sums out) {
    Floats sums[Rows][Width];
    INGLE_UNROLL for (int r = 0; r < Rows; ++r)
        INGLE_UNROLL for (int w = 0; w < Width; ++w)
            sums[r][w] = load(out.data + r * out.stride + column + w * lanes);
    for (int64_t t = 0; t < tokens; ++t) {
        Floats value[Width];
        INGLE_UNROLL for (int w = 0; w < Width; ++w) value[w] = values.at(t, column + w * lanes);
        INGLE_UNROLL for (int r = 0; r < Rows; ++r) {
            const Floats weight = broadcast(weights[r * chunk_tokens + t]);
            INGLE_UNROLL for (int w = 0; w < Width; ++w)
                sums[r][w] = fma(weight, value[w], sums[r][w]);
        }
    }
    INGLE_UNROLL for (int r = 0; r < Rows; ++r)
        INGLE_UNROLL for (int w = 0; w < Width; ++w)
            store(out.data + r * out.stride + column + w * lanes, sums[r][w]);
}
template <int Rows, class Value>
void page_values(const Page<Value>& values, const float* weights, int64_t tokens, int64_t columns,
                 Sums out) {
    constexpr int width = tile_width(Rows, 4);
    int64_t d = 0;
    for (; d + width * lanes <= columns; d += width * lanes)
        add_values<Rows, width>(values, weights, tokens, d, out);
    for (; d < columns; d += lanes) add_values<Rows, 1>(values, weights, tokens, d, out);
}

// The kernels above by number of rows, 1 ... block_rows.
template <class T>
struct ByRows {
    using Scores = void (*)(const Page<T>&, const float*, int64_t, float, float*);
    using Values = void (*)(const Page<T>&, const float*, int64_t, int64_t, Sums);
    Scores scores[block_rows + 1] = {};
    Values values[block_rows + 1] = {};

    constexpr ByRows() { fill<block_rows>(); }
    template <int Rows>
    constexpr void fill() {
        if constexpr (Rows > 0) {
            scores[Rows] = page_scores<Rows, T>;
            values[Rows] = page_values<Rows, T>;
            fill<Rows - 1>();
        }
    }
};
template <class T>
constexpr ByRows<T> by_rows;

INGLE_INLINE int rows_of_block(const Tile& tile, int block) {
    return tile.rows - block < block_rows ? tile.rows - block : block_rows;
}

void pack_queries(const Work& work) {
    const int64_t key_dim = work.op.key_dim;
    for (int block = 0; block < work.tile.rows; block += block_rows) {
        const int rows = rows_of_block(work.tile, block);
        float* const out = work.scratch.queries + block * key_dim;
        for (int r = 0; r < rows; ++r)
            for (int64_t d = 0; d < key_dim; ++d) out[d * rows + r] = work.tile.query[block + r][d];
    }
}

// [rows, columns] as f32 with rows `padded(columns)` apart, in `page`; or where they lie if that
// is as good.
INGLE_INLINE const float* as_floats(const float* source, int64_t rows, int64_t columns,
                                    float* page) {
    if (columns % lanes == 0) return source;
    const int64_t whole = columns / lanes * lanes;
    const int64_t stride = padded(columns);
    for (int64_t r = 0; r < rows; ++r) {
        for (int64_t i = 0; i < whole; i += lanes)
            store(page + r * stride + i, load(source + r * columns + i));
        store(page + r * stride + whole, load_some(source + r * columns + whole, columns - whole));
    }
    return page;
}
INGLE_INLINE const float* as_floats(const f16* source, int64_t rows, int64_t columns, float* page) {
    const int64_t whole = columns / lanes * lanes;
    const int64_t stride = padded(columns);
    for (int64_t r = 0; r < rows; ++r) {
        for (int64_t i = 0; i < whole; i += lanes)
            store(page + r * stride + i, load(source + r * columns + i));
        if (whole == columns) continue;
        f16 rest[lanes] = {};
        __builtin_memcpy(rest, source + r * columns + whole, size_t(columns - whole) * sizeof(f16));
        store(page + r * stride + whole, load(rest));
    }
    return page;
}

// Where a head's keys or values of the page `at` tokens into a chunk lie.
template <class Key>
INGLE_INLINE const Key* keys_at(const Work& work, int64_t chunk, int64_t at) {
    std::byte* const page = work.kv.page(chunk * chunk_tokens + at);
    return reinterpret_cast<const Key*>(work.kv.keys(page, work.tile.kv_head));
}
template <class Value>
INGLE_INLINE const Value* values_at(const Work& work, int64_t chunk, int64_t at) {
    std::byte* const page = work.kv.page(chunk * chunk_tokens + at);
    return reinterpret_cast<const Value*>(work.kv.values(page, work.tile.kv_head));
}

// Scaled scores of the blocks of rows that see something of a page.
template <class Key>
void blocks_scores(const Work& work, const Page<Key>& keys, const Range* seen, int64_t at) {
    for (int block = 0; block < work.tile.rows; block += block_rows) {
        const int rows = rows_of_block(work.tile, block);
        const Range wanted = union_of(seen + block, rows);
        if (wanted.begin >= at + page_tokens || wanted.end <= at) continue;
        by_rows<Key>.scores[rows](keys, work.scratch.queries + block * work.op.key_dim,
                                  work.op.key_dim, work.op.scale,
                                  work.scratch.scores + block * chunk_tokens + at);
    }
}

// Every page of a chunk that some row sees. A page is decoded once if several blocks read it.
template <class Key>
void chunk_scores(const Work& work, int64_t chunk, const Range* seen) {
    const Range all = union_of(seen, work.tile.rows);
    const int64_t first = all.begin / page_tokens * page_tokens;
    for (int64_t at = first; at < all.end; at += page_tokens) {
        const Key* const keys = keys_at<Key>(work, chunk, at);
        if (work.tile.rows > block_rows) {
            float* const page = work.scratch.page;
            const float* const floats = as_floats(keys, work.op.key_dim, page_tokens, page);
            blocks_scores(work, page_of(floats, page_tokens, floats), seen, at);
            continue;
        }
        const void* const next = at + page_tokens < all.end
                                     ? static_cast<const void*>(
                                           keys_at<Key>(work, chunk, at + page_tokens))
                                     : values_at<std::byte>(work, chunk, first);
        blocks_scores(work, page_of(keys, page_tokens, next), seen, at);
    }
}

// Scores become e^(s - highest); `highest` and their sum go to the partial. Whole vectors are
// worked on: what a row does not see of them counts as minus infinity.
void soften(const ops::Attention& op, Range seen, float* scores, float* partial) {
    const int64_t first = seen.begin / lanes * lanes;
    const int64_t last = (seen.end + lanes - 1) / lanes * lanes;
    if (op.softcap > 0) {
        const Floats cap = broadcast(op.softcap);
        for (int64_t t = first; t < last; t += lanes)
            store(scores + t, mul(cap, tanh(div(load(scores + t), cap))));
    }
    for (int64_t t = first; t < seen.begin; ++t) scores[t] = -infinity;
    for (int64_t t = seen.end; t < last; ++t) scores[t] = -infinity;
    Floats most = broadcast(-infinity);
    for (int64_t t = first; t < last; t += lanes) most = max(most, load(scores + t));
    const float top = highest(most);
    const Floats base = broadcast(top == -infinity ? 0 : top);
    Floats total = zero();
    for (int64_t t = first; t < last; t += lanes) {
        const Floats weight = exp(sub(load(scores + t), base));
        total = add(total, weight);
        store(scores + t, weight);
    }
    partial[0] = top;
    partial[1] = sum(total);
}

// Rows that are worked on together: what they see of the chunk, their weights, and their sums.
struct Block {
    int rows;
    const Range* seen;
    const float* weights;
    Sums out;
};

// Adds the values of the page that holds tokens `page` to a block of rows. Tokens that all rows see
// are taken together; what only some see, before and after, row by row: a weight of 0 times a value
// that a row must not see could be NaN.
template <class Value>
void block_values(const Page<Value>& values, Range page, const Block& block, int64_t columns) {
    Range common = intersection_of(block.seen, block.rows);
    common = {later(common.begin, page.begin), earlier(common.end, page.end)};
    if (common.begin >= common.end) common = {page.end, page.end};
    const auto add = [&](int first_row, int rows, int64_t begin, int64_t end) {
        if (begin >= end) return;
        const int64_t skipped = (begin - page.begin) * values.stride;
        by_rows<Value>.values[rows](
            page_of(values.data + skipped, values.stride,
                    values.next + skipped * int64_t(sizeof(Value))),
            block.weights + first_row * chunk_tokens + begin, end - begin, columns,
            {block.out.data + first_row * block.out.stride, block.out.stride});
    };
    for (int r = 0; r < block.rows; ++r)
        add(r, 1, later(block.seen[r].begin, page.begin), earlier(block.seen[r].end, common.begin));
    add(0, block.rows, common.begin, common.end);
    for (int r = 0; r < block.rows; ++r)
        add(r, 1, later(block.seen[r].begin, common.end), earlier(block.seen[r].end, page.end));
}

template <class Value>
void blocks_values(const Work& work, const Page<Value>& values, const Range* seen, int64_t at,
                   float* partials) {
    const int64_t stride = partial_stride(work.op);
    for (int row = 0; row < work.tile.rows; row += block_rows) {
        const int rows = rows_of_block(work.tile, row);
        const Range wanted = union_of(seen + row, rows);
        if (wanted.begin >= at + page_tokens || wanted.end <= at) continue;
        const Block block = {rows,
                             seen + row,
                             work.scratch.scores + row * chunk_tokens,
                             {partials + row * stride + partial_header, stride}};
        block_values(values, {at, at + page_tokens}, block, padded(work.op.value_dim));
    }
}

template <class Value>
void chunk_values(const Work& work, int64_t chunk, const Range* seen, float* partials) {
    const int64_t columns = padded(work.op.value_dim);
    const Range all = union_of(seen, work.tile.rows);
    for (int64_t at = all.begin / page_tokens * page_tokens; at < all.end; at += page_tokens) {
        const Value* const values = values_at<Value>(work, chunk, at);
        if (work.tile.rows > block_rows || columns != work.op.value_dim) {
            float* const page = work.scratch.page;
            const float* const floats = as_floats(values, page_tokens, work.op.value_dim, page);
            blocks_values(work, page_of(floats, columns, floats), seen, at, partials);
            continue;
        }
        const Value* const next =
            at + page_tokens < all.end ? values_at<Value>(work, chunk, at + page_tokens) : values;
        blocks_values(work, page_of(values, columns, next), seen, at, partials);
    }
}

void attend(const Work& work, int64_t chunk, float* partials) {
    const int rows = work.tile.rows;
    const int64_t stride = partial_stride(work.op);
    Range seen[tile_rows_max];
    for (int r = 0; r < rows; ++r) seen[r] = visible(work.tile, r, chunk);
    if (work.kv.key_type == KvType::f16) chunk_scores<f16>(work, chunk, seen);
    else chunk_scores<float>(work, chunk, seen);
    for (int r = 0; r < rows; ++r) {
        if (seen[r].end <= seen[r].begin) continue;
        float* const partial = partials + r * stride;
        soften(work.op, seen[r], work.scratch.scores + r * chunk_tokens, partial);
        for (int64_t d = partial_header; d < stride; d += lanes) store(partial + d, zero());
    }
    if (work.kv.value_type == KvType::f16) chunk_values<f16>(work, chunk, seen, partials);
    else chunk_values<float>(work, chunk, seen, partials);
}

void merge(const ops::Attention& op, float* into, const float* partial) {
    const float top = into[0] < partial[0] ? partial[0] : into[0];
    const Floats base = broadcast(top == -infinity ? 0 : top);
    const Floats old_factor = exp(sub(broadcast(into[0]), base));
    const Floats new_factor = exp(sub(broadcast(partial[0]), base));
    float totals[lanes];
    store(totals, fma(broadcast(into[1]), old_factor, mul(broadcast(partial[1]), new_factor)));
    into[0] = top;
    into[1] = totals[0];
    for (int64_t d = partial_header; d < partial_stride(op); d += lanes)
        store(into + d,
              fma(load(into + d), old_factor, mul(load(partial + d), new_factor)));
}

void finish(const ops::Attention& op, const float* partial, float* out) {
    const Floats total = broadcast(partial[1]);
    const float* const weighted = partial + partial_header;
    const int64_t whole = op.value_dim / lanes * lanes;
    for (int64_t d = 0; d < whole; d += lanes) store(out + d, div(load(weighted + d), total));
    if (whole < op.value_dim)
        store_some(out + whole, op.value_dim - whole, div(load(weighted + whole), total));
}

constexpr Kernels table = {pack_queries, attend, merge, finish};
