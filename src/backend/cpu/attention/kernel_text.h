// Attention for one instruction set (see kernels.h). Included inside a namespace of its own, after floats_*.h.
//
// Scores of a page are [rows, 32 tokens] tiles of sums over key_dim: keys lie transposed, so tokens fill the lanes. Outputs are
// [rows, value_dim] tiles of sums over tokens, ascending. Every sum is one chain of fma, whatever the tile's shape.

constexpr int page_vectors = page_tokens / lanes;

// Vectors of 16 in a tile of `rows` sums, at most `most`: few rows get wide tiles, to have enough independent chains.
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

// scores[r][t] = scale * sum_d queries[d][r] * keys[d][t], t < 32;  scores are chunk_tokens apart.
template <int Rows, class Key>
void page_scores(const Key* keys, const float* queries, int64_t key_dim, float scale,
                 float* scores) {
    constexpr int width = tile_width(Rows, page_vectors);
    for (int column = 0; column < page_tokens; column += width * lanes) {
        Floats sums[Rows][width];
        INGLE_UNROLL for (int r = 0; r < Rows; ++r)
            INGLE_UNROLL for (int w = 0; w < width; ++w) sums[r][w] = zero();
        for (int64_t d = 0; d < key_dim; ++d) {
            Floats key[width];
            INGLE_UNROLL for (int w = 0; w < width; ++w)
                key[w] = load(keys + d * page_tokens + column + w * lanes);
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

// sums[r][d] += sum_t weights[r][t] * values[t][d] for `Width` vectors of d; rows of weights are chunk_tokens apart.
template <int Rows, int Width, class Value>
INGLE_INLINE void add_values(const Value* values, int64_t stride, const float* weights,
                             int64_t tokens, float* out, int64_t out_stride) {
    Floats sums[Rows][Width];
    INGLE_UNROLL for (int r = 0; r < Rows; ++r)
        INGLE_UNROLL for (int w = 0; w < Width; ++w)
            sums[r][w] = load(out + r * out_stride + w * lanes);
    for (int64_t t = 0; t < tokens; ++t) {
        Floats value[Width];
        INGLE_UNROLL for (int w = 0; w < Width; ++w) value[w] = load(values + t * stride + w * lanes);
        INGLE_UNROLL for (int r = 0; r < Rows; ++r) {
            const Floats weight = broadcast(weights[r * chunk_tokens + t]);
            INGLE_UNROLL for (int w = 0; w < Width; ++w)
                sums[r][w] = fma(weight, value[w], sums[r][w]);
        }
    }
    INGLE_UNROLL for (int r = 0; r < Rows; ++r)
        INGLE_UNROLL for (int w = 0; w < Width; ++w)
            store(out + r * out_stride + w * lanes, sums[r][w]);
}
template <int Rows, class Value>
void page_values(const Value* values, int64_t stride, const float* weights, int64_t tokens,
                 int64_t columns, float* out, int64_t out_stride) {
    constexpr int width = tile_width(Rows, 4);
    int64_t d = 0;
    for (; d + width * lanes <= columns; d += width * lanes)
        add_values<Rows, width>(values + d, stride, weights, tokens, out + d, out_stride);
    for (; d < columns; d += lanes)
        add_values<Rows, 1>(values + d, stride, weights, tokens, out + d, out_stride);
}

// The kernels above by number of rows, 1 ... block_rows.
template <class T>
struct ByRows {
    using Scores = void (*)(const T*, const float*, int64_t, float, float*);
    using Values = void (*)(const T*, int64_t, const float*, int64_t, int64_t, float*, int64_t);
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

void pack_queries(const ops::Attention& op, const Tile& tile, const Scratch& scratch) {
    for (int block = 0; block < tile.rows; block += block_rows) {
        const int rows = rows_of_block(tile, block);
        float* const out = scratch.queries + block * op.key_dim;
        for (int r = 0; r < rows; ++r)
            for (int64_t d = 0; d < op.key_dim; ++d) out[d * rows + r] = tile.query[block + r][d];
    }
}

// [rows, columns] as f32 with rows `padded(columns)` apart, in `page`; or where they lie if that is as good.
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

template <class T>
void block_scores(const ops::Attention& op, const T* keys, const float* queries, int rows,
                  float* scores) {
    by_rows<T>.scores[rows](keys, queries, op.key_dim, op.scale, scores);
}

// Scaled scores of every page that some row of a block sees. A page is decoded once if several blocks read it.
template <class Key>
void chunk_scores(const ops::Attention& op, const KvView& kv, const Tile& tile, int64_t chunk,
                  const Range* seen, const Scratch& scratch) {
    const Range all = union_of(seen, tile.rows);
    for (int64_t at = all.begin / page_tokens * page_tokens; at < all.end; at += page_tokens) {
        const auto* const keys = reinterpret_cast<const Key*>(
            kv.keys(kv.page(chunk * chunk_tokens + at), tile.kv_head));
        const bool decode = tile.rows > block_rows;
        const float* const floats =
            decode ? as_floats(keys, op.key_dim, page_tokens, scratch.page) : nullptr;
        for (int block = 0; block < tile.rows; block += block_rows) {
            const int rows = rows_of_block(tile, block);
            const Range wanted = union_of(seen + block, rows);
            if (wanted.begin >= at + page_tokens || wanted.end <= at) continue;
            const float* const queries = scratch.queries + block * op.key_dim;
            float* const scores = scratch.scores + block * chunk_tokens + at;
            if (decode) block_scores(op, floats, queries, rows, scores);
            else block_scores(op, keys, queries, rows, scores);
        }
    }
}

// Scores become e^(s - highest); `highest` and their sum go to the partial. Whole vectors are worked on: what a row does not
// see of them counts as minus infinity.
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

// Adds one page's values to a block of rows. Tokens that all rows see are taken together; what only some see, before and
// after, row by row: a weight of 0 times a value that a row must not see could be NaN.
template <class Value>
void block_values(const Value* values, int64_t stride, int64_t columns, Range page,
                  const Range* seen, int rows, const float* weights, float* out,
                  int64_t out_stride) {
    Range common = intersection_of(seen, rows);
    common = {later(common.begin, page.begin), earlier(common.end, page.end)};
    if (common.begin >= common.end) common = {page.end, page.end};
    const auto add_row = [&](int r, int64_t begin, int64_t end) {
        if (begin < end)
            by_rows<Value>.values[1](values + (begin - page.begin) * stride, stride,
                                     weights + r * chunk_tokens + begin, end - begin, columns,
                                     out + r * out_stride, out_stride);
    };
    for (int r = 0; r < rows; ++r)
        add_row(r, later(seen[r].begin, page.begin), earlier(seen[r].end, common.begin));
    if (common.begin < common.end)
        by_rows<Value>.values[rows](values + (common.begin - page.begin) * stride, stride,
                                    weights + common.begin, common.end - common.begin, columns, out,
                                    out_stride);
    for (int r = 0; r < rows; ++r)
        add_row(r, later(seen[r].begin, common.end), earlier(seen[r].end, page.end));
}

template <class Value>
void chunk_values(const ops::Attention& op, const KvView& kv, const Tile& tile, int64_t chunk,
                  const Range* seen, const Scratch& scratch, float* partials) {
    const int64_t columns = padded(op.value_dim);
    const int64_t out_stride = partial_stride(op);
    const Range all = union_of(seen, tile.rows);
    for (int64_t at = all.begin / page_tokens * page_tokens; at < all.end; at += page_tokens) {
        const auto* const values = reinterpret_cast<const Value*>(
            kv.values(kv.page(chunk * chunk_tokens + at), tile.kv_head));
        const bool decode = tile.rows > block_rows || columns != op.value_dim;
        const float* const floats =
            decode ? as_floats(values, page_tokens, op.value_dim, scratch.page) : nullptr;
        for (int block = 0; block < tile.rows; block += block_rows) {
            const int rows = rows_of_block(tile, block);
            const Range wanted = union_of(seen + block, rows);
            if (wanted.begin >= at + page_tokens || wanted.end <= at) continue;
            const Range page = {at, at + page_tokens};
            const float* const weights = scratch.scores + block * chunk_tokens;
            float* const out = partials + block * out_stride + partial_header;
            if (decode)
                block_values(floats, columns, columns, page, seen + block, rows, weights, out,
                             out_stride);
            else
                block_values(values, columns, columns, page, seen + block, rows, weights, out,
                             out_stride);
        }
    }
}

void attend(const ops::Attention& op, const KvView& kv, const Tile& tile, int64_t chunk,
            const Scratch& scratch, float* partials) {
    Range seen[tile_rows_max];
    for (int r = 0; r < tile.rows; ++r) seen[r] = visible(tile, r, chunk);
    if (kv.key_type == KvType::f16) chunk_scores<f16>(op, kv, tile, chunk, seen, scratch);
    else chunk_scores<float>(op, kv, tile, chunk, seen, scratch);
    for (int r = 0; r < tile.rows; ++r) {
        if (seen[r].end <= seen[r].begin) continue;
        float* const partial = partials + r * partial_stride(op);
        soften(op, seen[r], scratch.scores + r * chunk_tokens, partial);
        for (int64_t d = partial_header; d < partial_stride(op); d += lanes)
            store(partial + d, zero());
    }
    if (kv.value_type == KvType::f16)
        chunk_values<f16>(op, kv, tile, chunk, seen, scratch, partials);
    else chunk_values<float>(op, kv, tile, chunk, seen, scratch, partials);
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
