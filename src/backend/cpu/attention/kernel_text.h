// Attention for one instruction set (see kernels.h). Included inside a namespace of its own,
// after floats_*.h.
//
// Scores of a page are [rows, 32 tokens] tiles of sums over key_dim: keys lie transposed, so
// tokens fill the lanes. Outputs are [rows, value_dim] tiles of sums over tokens, ascending.
// Every sum is one chain of fma, whatever the tile's shape.

#include "backend/cpu/attention/decode_text.h"

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

// out[r][d] += sum_t weights[r][t] * values[t][d] for `Width` vectors of d from `column` on; rows
// of weights are chunk_tokens apart.
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

// Rows of the block that starts at a row. In a quantized cache a block's queries share their own
// page, so that they see the same form of every page.
INGLE_INLINE int rows_of_block(const Work& work, int block) {
    const Tile& tile = work.tile;
    const int most = tile.rows - block < block_rows ? tile.rows - block : block_rows;
    if (work.kv.exact_base == nullptr) return most;
    int rows = 1;
    while (rows < most &&
           (tile.end[block + rows] - 1) / page_tokens == (tile.end[block] - 1) / page_tokens)
        ++rows;
    return rows;
}

// Hadamard matrices (tensor/hadamard.h) of size n on [dim, rows]: each column is turned by itself.
void turn(float* x, int64_t dim, int64_t n, int64_t rows) {
    for (int64_t half = 1; half < n; half *= 2) {
        const int64_t run = half * rows;
        for (int64_t at = 0; at < dim * rows; at += 2 * run) {
            float* const upper = x + at;
            float* const lower = upper + run;
            int64_t i = 0;
            for (; i + lanes <= run; i += lanes) {
                const Floats a = load(upper + i), b = load(lower + i);
                store(upper + i, add(a, b));
                store(lower + i, sub(a, b));
            }
            for (; i < run; ++i) {
                const float a = upper[i], b = lower[i];
                upper[i] = a + b;
                lower[i] = a - b;
            }
        }
    }
    const float factor = 1 / __builtin_sqrtf(float(n));
    for (int64_t i = 0; i < dim * rows; ++i) x[i] *= factor;
}

void pack_queries(const Work& work, const float* const* queries) {
    const int64_t key_dim = work.op.key_dim;
    const int64_t rotation = work.kv.key_rotation();
    for (int block = 0, rows; block < work.tile.rows; block += rows) {
        rows = rows_of_block(work, block);
        float* const out = work.scratch.queries + block * key_dim;
        for (int r = 0; r < rows; ++r)
            for (int64_t d = 0; d < key_dim; ++d) out[d * rows + r] = queries[block + r][d];
        if (rotation > 1) turn(out, key_dim, rotation, rows);
    }
}

// Which form of a page is read: the only one there is, or one of two.
enum class Form { only, exact, stored };

// A page of a chunk, `at` tokens into it.
struct Place {
    int64_t chunk;
    int64_t at;
    Form form;

    INGLE_INLINE int64_t token() const { return chunk * chunk_tokens + at; }
};

// Whether some row of a block reads a page in this form.
INGLE_INLINE bool reads(const Work& work, const Place& place, const Range* seen, int block,
                        int rows) {
    const Range wanted = union_of(seen + block, rows);
    if (wanted.begin >= place.at + page_tokens || wanted.end <= place.at) return false;
    if (place.form == Form::only) return true;
    // KvView::sees_exact, with divisions by a constant.
    const int64_t page = place.token() / page_tokens;
    const bool exact = page == 0 || page == (work.tile.end[block] - 1) / page_tokens;
    return exact == (place.form == Form::exact);
}
INGLE_INLINE bool any_reads(const Work& work, const Place& place, const Range* seen) {
    for (int block = 0, rows; block < work.tile.rows; block += rows) {
        rows = rows_of_block(work, block);
        if (reads(work, place, seen, block, rows)) return true;
    }
    return false;
}
INGLE_INLINE const KvView& view_of(const Work& work, const Place& place) {
    return place.form == Form::exact ? work.exact : work.kv;
}

INGLE_INLINE std::byte* page_at(const KvView& kv, const Place& place) {
    return kv.base + size_t(kv.table[place.token() / page_tokens].page) * kv.page_bytes;
}
INGLE_INLINE const std::byte* keys_at(const Work& work, const Place& place) {
    const KvView& kv = view_of(work, place);
    return kv.keys(page_at(kv, place), work.tile.kv_head).data;
}
INGLE_INLINE const std::byte* values_at(const Work& work, const Place& place) {
    const KvView& kv = view_of(work, place);
    return kv.values(page_at(kv, place), work.tile.kv_head).data;
}
INGLE_INLINE void fetch(const std::byte* data, int64_t bytes) {
    for (int64_t i = 0; i < bytes; i += 64) __builtin_prefetch(data + i);
}

// Scaled scores of the blocks of rows that read a page in this form.
template <class Key>
void blocks_scores(const Work& work, const Page<Key>& keys, const Range* seen, const Place& place) {
    for (int block = 0, rows; block < work.tile.rows; block += rows) {
        rows = rows_of_block(work, block);
        if (!reads(work, place, seen, block, rows)) continue;
        by_rows<Key>.scores[rows](keys, work.scratch.queries + block * work.op.key_dim,
                                  work.op.key_dim, work.op.scale,
                                  work.scratch.scores + block * chunk_tokens + place.at);
    }
}

// Pages of a chunk that some row sees, read where they lie.
template <class Key>
void chunk_scores(const Work& work, int64_t chunk, const Range* seen, Range pages) {
    for (int64_t at = pages.begin; at < pages.end; at += page_tokens) {
        const Place place = {chunk, at, Form::only};
        const Key* const keys = reinterpret_cast<const Key*>(keys_at(work, place));
        const std::byte* const next = at + page_tokens < pages.end
                                          ? keys_at(work, {chunk, at + page_tokens, Form::only})
                                          : values_at(work, {chunk, pages.begin, Form::only});
        blocks_scores(work, page_of(keys, page_tokens, next), seen, place);
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

// Calls add(first row, rows, tokens) for the tokens of a page that rows see. Tokens that all rows
// see are taken together; what only some see, before and after, row by row: a weight of 0 times a value
// that a row must not see could be NaN.
template <class Add>
INGLE_INLINE void each_visible(const Range* seen, int rows, Range page, const Add& add) {
    Range common = intersection_of(seen, rows);
    common = {later(common.begin, page.begin), earlier(common.end, page.end)};
    if (common.begin >= common.end) common = {page.end, page.end};
    const auto add_some = [&](int first_row, int count, Range tokens) {
        if (tokens.begin < tokens.end) add(first_row, count, tokens);
    };
    for (int r = 0; r < rows; ++r)
        add_some(r, 1, {later(seen[r].begin, page.begin), earlier(seen[r].end, common.begin)});
    add_some(0, rows, common);
    for (int r = 0; r < rows; ++r)
        add_some(r, 1, {later(seen[r].begin, common.end), earlier(seen[r].end, page.end)});
}

template <class Value>
void blocks_values(const Work& work, const Page<Value>& values, const Range* seen,
                   const Place& place, float* partials) {
    const int64_t stride = partial_stride(work.op);
    for (int row = 0, rows; row < work.tile.rows; row += rows) {
        rows = rows_of_block(work, row);
        if (!reads(work, place, seen, row, rows)) continue;
        const float* const weights = work.scratch.scores + row * chunk_tokens;
        each_visible(seen + row, rows, {place.at, place.at + page_tokens},
                     [&](int first_row, int count, Range tokens) {
            const int64_t skipped = (tokens.begin - place.at) * values.stride;
            float* const out = partials + (row + first_row) * stride + partial_header;
            by_rows<Value>.values[count](
                page_of(values.data + skipped, values.stride,
                        values.next + skipped * int64_t(sizeof(Value))),
                weights + first_row * chunk_tokens + tokens.begin, tokens.end - tokens.begin,
                padded(work.op.value_dim), {out, stride});
        });
    }
}

// The same by way of a tile of f32, decoded once for all blocks.
void decoded_scores(const Work& work, const Range* seen, const Place& place);
void decoded_values(const Work& work, const Range* seen, const Place& place, float* partials);

#include "backend/cpu/attention/scaled_text.h"

// How pages of a type are read, for all blocks of rows that read them.
struct Reader {
    void (*keys)(const Work&, const Range* seen, const Place&);
    void (*values)(const Work&, const Range* seen, const Place&, float* partials);
};
constexpr Reader plain_reader = {decoded_scores, decoded_values};
template <class Type>
constexpr Reader scaled_reader = {read_scaled_keys<Type>, read_scaled_values<Type>};

// Both by KvType.
constexpr Decoder decoders[] = {
    plain_decoder<float>, plain_decoder<f16>,         plain_decoder<bf16>,
    block_decoder<Q8>,    block_decoder<Q4Symmetric>, block_decoder<Q4Shifted>,
    block_decoder<Q5<1>>, block_decoder<Q5<2>>,       block_decoder<Iq4>};
constexpr Reader readers[] = {
    plain_reader,         plain_reader,               plain_reader,
    scaled_reader<Q8>,    scaled_reader<Q4Symmetric>, plain_reader,
    scaled_reader<Q5<1>>, plain_reader,               scaled_reader<Iq4>};

void decoded_scores(const Work& work, const Range* seen, const Place& place) {
    if (!any_reads(work, place, seen)) return;
    float* const tile = work.scratch.page;
    decoders[int(view_of(work, place).key_type)].keys(keys_at(work, place), work.op.key_dim, tile);
    blocks_scores(work, page_of(tile, page_tokens, tile), seen, place);
}
void decoded_values(const Work& work, const Range* seen, const Place& place, float* partials) {
    if (!any_reads(work, place, seen)) return;
    float* const tile = work.scratch.page;
    const int64_t stride = whole_blocks(work.op.value_dim);
    decoders[int(view_of(work, place).value_type)].values(values_at(work, place),
                                                          work.op.value_dim, stride, tile);
    blocks_values(work, page_of(tile, stride, tile), seen, place, partials);
}

// Pages of a chunk that some row sees, by the reader of their form.
void chunk_scores_read(const Work& work, int64_t chunk, const Range* seen, Range pages) {
    const bool two_forms = work.kv.keys_have_exact();
    const Reader& stored = readers[int(work.kv.key_type)];
    for (int64_t at = pages.begin; at < pages.end; at += page_tokens) {
        if (at + page_tokens < pages.end)
            fetch(keys_at(work, {chunk, at + page_tokens, Form::stored}), work.kv.key_head_bytes);
        if (two_forms) decoded_scores(work, seen, {chunk, at, Form::exact});
        stored.keys(work, seen, {chunk, at, two_forms ? Form::stored : Form::only});
    }
}
void chunk_values_read(const Work& work, int64_t chunk, const Range* seen, float* partials) {
    const bool two_forms = work.kv.values_have_exact();
    const Reader& stored = readers[int(work.kv.value_type)];
    const Range all = union_of(seen, work.tile.rows);
    for (int64_t at = all.begin / page_tokens * page_tokens; at < all.end; at += page_tokens) {
        if (at + page_tokens < all.end)
            fetch(values_at(work, {chunk, at + page_tokens, Form::stored}),
                  work.kv.value_head_bytes);
        if (two_forms) decoded_values(work, seen, {chunk, at, Form::exact}, partials);
        stored.values(work, seen, {chunk, at, two_forms ? Form::stored : Form::only}, partials);
    }
}

template <class Value>
void chunk_values(const Work& work, int64_t chunk, const Range* seen, float* partials) {
    const int64_t columns = work.op.value_dim;
    const Range all = union_of(seen, work.tile.rows);
    for (int64_t at = all.begin / page_tokens * page_tokens; at < all.end; at += page_tokens) {
        const Place place = {chunk, at, Form::only};
        const std::byte* const values = values_at(work, place);
        const std::byte* const next = at + page_tokens < all.end
                                          ? values_at(work, {chunk, at + page_tokens, Form::only})
                                          : values;
        blocks_values(work, page_of(reinterpret_cast<const Value*>(values), columns, next), seen,
                      place, partials);
    }
}

// What the rows of the tile see of a chunk.
struct Seen {
    Range of[tile_rows_max];

    Seen(const Tile& tile, int64_t chunk) {
        for (int r = 0; r < tile.rows; ++r) of[r] = visible(tile, r, chunk);
    }
};

void score(const Work& work, int64_t chunk, int64_t first, int64_t last) {
    const Seen seen(work.tile, chunk);
    const Range all = union_of(seen.of, work.tile.rows);
    const Range pages = {later(first, all.begin / page_tokens * page_tokens),
                         earlier(last, all.end)};
    const bool shared = work.tile.rows > block_rows;
    const KvType type = work.kv.key_type;
    if (!shared && type == KvType::f16) chunk_scores<f16>(work, chunk, seen.of, pages);
    else if (!shared && type == KvType::f32) chunk_scores<float>(work, chunk, seen.of, pages);
    else chunk_scores_read(work, chunk, seen.of, pages);
}

void all_values(const Work& work, int64_t chunk, const Range* seen, float* partials) {
    const bool shared = work.tile.rows > block_rows || work.op.value_dim % lanes != 0;
    const KvType type = work.kv.value_type;
    if (!shared && type == KvType::f16) chunk_values<f16>(work, chunk, seen, partials);
    else if (!shared && type == KvType::f32) chunk_values<float>(work, chunk, seen, partials);
    else chunk_values_read(work, chunk, seen, partials);
}

void attend(const Work& work, int64_t chunk, float* partials) {
    const int64_t stride = partial_stride(work.op);
    const Seen seen(work.tile, chunk);
    for (int r = 0; r < work.tile.rows; ++r) {
        if (seen.of[r].end <= seen.of[r].begin) continue;
        float* const partial = partials + r * stride;
        soften(work.op, seen.of[r], work.scratch.scores + r * chunk_tokens, partial);
        for (int64_t d = partial_header; d < stride; d += lanes) store(partial + d, zero());
    }
    all_values(work, chunk, seen.of, partials);
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

constexpr Kernels table = {pack_queries, score, attend, merge, finish};
