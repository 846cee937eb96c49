// Pages of types whose value is scale * number: numbers are summed, and the scale of a block
// applied once, to the sum of its keys and to the weight of its values. Included by kernel_text.h.
//
//   score[t]  = sum_b scale[b][t] * sum_{d in b} q[d] * number[d][t]
//   out[d]   += sum_t (weight[t] * scale[b][t]) * number[t][d],   d in b
//
// Numbers come from a decoded tile, or from where they are packed: the same numbers, the same sums.

struct NumberTile {
    const float* data;
    int64_t stride;  // of tokens, for values

    INGLE_INLINE Floats key(int d, int column) const {
        return load(data + d * page_tokens + column);
    }
    INGLE_INLINE Floats value(int64_t t, int64_t block, int half) const {
        return load(data + t * stride + 32 * block + 16 * half);
    }
    INGLE_INLINE NumberTile key_block(int64_t b) const {
        return {data + b * 32 * page_tokens, stride};
    }
};

template <class Type>
struct PackedNumbers {
    const uint8_t* data;
    int64_t stride;

    INGLE_INLINE Floats key(int d, int column) const { return Type::column(data + column, d); }
    INGLE_INLINE Floats value(int64_t t, int64_t block, int half) const {
        return Type::row(data + t * stride + block * Type::bytes, half);
    }
    INGLE_INLINE PackedNumbers key_block(int64_t b) const {
        return {data + b * (2 + Type::bytes) * page_tokens, stride};
    }
};

// scores[r][t] of the first `count` (at most 32) keys' dimensions, from those of earlier blocks on.
template <int Rows, class Numbers>
INGLE_INLINE void block_scores(const Numbers& keys, const f16* scales, const float* queries,
                               int64_t count, bool first, float* scores) {
    constexpr int width = tile_width(Rows, page_vectors);
    for (int column = 0; column < page_tokens; column += width * lanes) {
        Floats sums[Rows][width];
        INGLE_UNROLL for (int r = 0; r < Rows; ++r)
            INGLE_UNROLL for (int w = 0; w < width; ++w) sums[r][w] = zero();
        for (int d = 0; d < count; ++d) {
            Floats key[width];
            INGLE_UNROLL for (int w = 0; w < width; ++w) key[w] = keys.key(d, column + w * lanes);
            INGLE_UNROLL for (int r = 0; r < Rows; ++r) {
                const Floats query = broadcast(queries[d * Rows + r]);
                INGLE_UNROLL for (int w = 0; w < width; ++w)
                    sums[r][w] = fma(query, key[w], sums[r][w]);
            }
        }
        INGLE_UNROLL for (int r = 0; r < Rows; ++r)
            INGLE_UNROLL for (int w = 0; w < width; ++w) {
                float* const score = scores + r * chunk_tokens + column + w * lanes;
                const Floats scale = load(scales + column + w * lanes);
                store(score, first ? mul(sums[r][w], scale) : fma(sums[r][w], scale, load(score)));
            }
    }
}

// Like page_scores, `blocks` of keys; the scales of a block stand `block_bytes` after those before.
template <int Rows, class Numbers>
void scaled_scores(const Numbers& keys, const std::byte* scales, int64_t block_bytes,
                   const float* queries, int64_t key_dim, float scale, float* scores) {
    for (int64_t b = 0; 32 * b < key_dim; ++b) {
        const int64_t rest = key_dim - 32 * b;
        block_scores<Rows>(keys.key_block(b),
                           reinterpret_cast<const f16*>(scales + b * block_bytes),
                           queries + 32 * b * Rows, rest < 32 ? rest : 32, b == 0, scores);
    }
    for (int r = 0; r < Rows; ++r)
        for (int t = 0; t < page_tokens; t += lanes) {
            float* const score = scores + r * chunk_tokens + t;
            store(score, mul(load(score), broadcast(scale)));
        }
}

// Weights of a block of rows times the scales of values: [block of 32][row][page_tokens].
struct ScaledWeights {
    const float* data;
    int64_t rows;

    INGLE_INLINE float at(int64_t block, int row, int64_t t) const {
        return data[(block * rows + row) * page_tokens + t];
    }
};

// Tokens [begin, end) of a page, `Width` vectors from number `first` on.
template <int Rows, int Width, class Numbers>
INGLE_INLINE void add_scaled(const Numbers& values, const ScaledWeights& weights, int first_row,
                             Range tokens, int64_t first, Sums out) {
    Floats sums[Rows][Width];
    INGLE_UNROLL for (int r = 0; r < Rows; ++r)
        INGLE_UNROLL for (int w = 0; w < Width; ++w)
            sums[r][w] = load(out.data + r * out.stride + (first + w) * lanes);
    for (int64_t t = tokens.begin; t < tokens.end; ++t) {
        Floats value[Width];
        INGLE_UNROLL for (int w = 0; w < Width; ++w)
            value[w] = values.value(t, (first + w) / 2, Width == 1 ? int(first % 2) : w % 2);
        INGLE_UNROLL for (int r = 0; r < Rows; ++r)
            INGLE_UNROLL for (int w = 0; w < Width; ++w) {
                const Floats weight = broadcast(weights.at((first + w) / 2, first_row + r, t));
                sums[r][w] = fma(weight, value[w], sums[r][w]);
            }
    }
    INGLE_UNROLL for (int r = 0; r < Rows; ++r)
        INGLE_UNROLL for (int w = 0; w < Width; ++w)
            store(out.data + r * out.stride + (first + w) * lanes, sums[r][w]);
}
template <int Rows, class Numbers>
void scaled_values(const Numbers& values, const ScaledWeights& weights, int first_row, Range tokens,
                   int64_t columns, Sums out) {
    constexpr int width = tile_width(Rows, 4);
    static_assert(width == 1 || width % 2 == 0, "vectors begin at a block");
    int64_t first = 0;
    for (; (first + width) * lanes <= columns; first += width)
        add_scaled<Rows, width>(values, weights, first_row, tokens, first, out);
    for (; first * lanes < columns; ++first)
        add_scaled<Rows, 1>(values, weights, first_row, tokens, first, out);
}

// By number of rows, 1 ... block_rows.
template <class Numbers>
struct ScaledByRows {
    using Scores = void (*)(const Numbers&, const std::byte*, int64_t, const float*, int64_t, float,
                            float*);
    using Values = void (*)(const Numbers&, const ScaledWeights&, int, Range, int64_t, Sums);
    Scores scores[block_rows + 1] = {};
    Values values[block_rows + 1] = {};

    constexpr ScaledByRows() { fill<block_rows>(); }
    template <int Rows>
    constexpr void fill() {
        if constexpr (Rows > 0) {
            scores[Rows] = scaled_scores<Rows, Numbers>;
            values[Rows] = scaled_values<Rows, Numbers>;
            fill<Rows - 1>();
        }
    }
};
template <class Numbers>
constexpr ScaledByRows<Numbers> scaled_by_rows;

template <class Type, class Numbers>
void scaled_page_scores(const Work& work, const Range* seen, const Place& place,
                        const Numbers& keys, const std::byte* scales) {
    for (int block = 0, rows; block < work.tile.rows; block += rows) {
        rows = rows_of_block(work, block);
        if (!reads(work, place, seen, block, rows)) continue;
        scaled_by_rows<Numbers>.scores[rows](
            keys, scales, (2 + Type::bytes) * page_tokens,
            work.scratch.queries + block * work.op.key_dim, work.op.key_dim, work.op.scale,
            work.scratch.scores + block * chunk_tokens + place.at);
    }
}

template <class Type>
void read_scaled_keys(const Work& work, const Range* seen, const Place& place) {
    if (!any_reads(work, place, seen)) return;
    const std::byte* const data = keys_at(work, place);
    if (work.tile.rows > block_rows) {
        decode_keys<Type>(data, work.op.key_dim, work.scratch.page);
        scaled_page_scores<Type>(work, seen, place, NumberTile{work.scratch.page, 0}, data);
    } else {
        const uint8_t* const codes = reinterpret_cast<const uint8_t*>(data) + 2 * page_tokens;
        scaled_page_scores<Type>(work, seen, place, PackedNumbers<Type>{codes, 0}, data);
    }
}

// weight * scale for the tokens of a page, whatever rows see of them.
INGLE_INLINE ScaledWeights scaled_weights(const Work& work, const f16* scales, int64_t blocks,
                                          int first_row, int rows, int64_t at) {
    float* const out = work.scratch.weights;
    for (int64_t b = 0; b < blocks; ++b)
        for (int r = 0; r < rows; ++r) {
            const float* const row = work.scratch.scores + (first_row + r) * chunk_tokens + at;
            for (int t = 0; t < page_tokens; t += lanes)
                store(out + (b * rows + r) * page_tokens + t,
                      mul(load(row + t), load(scales + b * page_tokens + t)));
        }
    return {out, rows};
}

template <class Numbers>
void scaled_page_values(const Work& work, const Range* seen, const Place& place,
                        const Numbers& values, const f16* scales, float* partials) {
    const int64_t stride = partial_stride(work.op);
    const int64_t blocks = whole_blocks(work.op.value_dim) / 32;
    for (int row = 0, rows; row < work.tile.rows; row += rows) {
        rows = rows_of_block(work, row);
        if (!reads(work, place, seen, row, rows)) continue;
        const ScaledWeights weights = scaled_weights(work, scales, blocks, row, rows, place.at);
        each_visible(seen + row, rows, {place.at, place.at + page_tokens},
                     [&](int first_row, int count, Range tokens) {
            float* const out = partials + (row + first_row) * stride + partial_header;
            scaled_by_rows<Numbers>.values[count](
                values, weights, first_row, {tokens.begin - place.at, tokens.end - place.at},
                padded(work.op.value_dim), {out, stride});
        });
    }
}

template <class Type>
void read_scaled_values(const Work& work, const Range* seen, const Place& place, float* partials) {
    if (!any_reads(work, place, seen)) return;
    const std::byte* const data = values_at(work, place);
    const int64_t blocks = whole_blocks(work.op.value_dim) / 32;
    const f16* const scales = reinterpret_cast<const f16*>(data);
    if (work.tile.rows > block_rows) {
        decode_values<Type>(data, work.op.value_dim, 32 * blocks, work.scratch.page);
        scaled_page_values(work, seen, place, NumberTile{work.scratch.page, 32 * blocks}, scales,
                           partials);
    } else {
        const uint8_t* const codes =
            reinterpret_cast<const uint8_t*>(scales + blocks * page_tokens);
        scaled_page_values(work, seen, place, PackedNumbers<Type>{codes, blocks * Type::bytes},
                           scales, partials);
    }
}
