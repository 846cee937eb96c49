// Products with at most one tile of columns, straight from the packed stream: every weight is read
// and unpacked once. Kernel text: included once per instruction set, inside its namespace.

// The stream is fetched this far ahead, into the second-level cache: processors' own prefetchers
// start late and stop at the ends of pages, and the first level has too few outstanding misses to
// keep the memory busy.
constexpr int64_t prefetch_bytes = 8192;

// The share of one block in fetching the cell ahead: all lines at once would fill the queue of
// outstanding misses. The empty statement keeps the compiler from gathering them.
template <class Unpacker>
INGLE_INLINE void prefetch_ahead(const std::byte* cell, int block) {
    constexpr int lines = int(Unpacker::cell_bytes / 64);
    constexpr int blocks = Unpacker::cell_columns / int(scale_block);
    constexpr int share = (lines + blocks - 1) / blocks;
    INGLE_UNROLL
    for (int i = 0; i < share; ++i) {
        const int line = block * share + i;
        if (line < lines) __builtin_prefetch(cell + prefetch_bytes + 64 * line, 0, 2);
    }
    asm volatile("" ::: "memory");
}

// The chains of one group of rows: per column a sum of scaled dot products and, where the format
// has minima, a sum of minimum x activation sum.
template <int W>
struct Chains {
    Floats sums[W];
    Floats minima[W];
};

// Blocks of a cell that are unrolled. All of them make shifts constant; formats whose codes are
// dear to find gain nothing from it, and would take long to compile.
template <class Unpacker>
constexpr int unrolled_blocks() {
    constexpr int blocks = Unpacker::cell_columns / int(scale_block);
    int step = block_step;
    if constexpr (requires { Unpacker::unrolled_blocks; }) step = Unpacker::unrolled_blocks;
    return step < blocks ? step : blocks;
}

template <class Unpacker, int W>
INGLE_INLINE void multiply_block(const std::byte* cell, const typename Unpacker::Head& head,
                                 int block, const TileView& tile, int64_t tile_block,
                                 Chains<W>& chains) {
    constexpr int bits = Unpacker::bits;
    constexpr int parts =
        int(scale_block) / Unpacker::scale_columns;  // scales of the weights in a block
    constexpr int units = Unpacker::scale_columns / 4;
    constexpr int run = Dots<bits>::run < units ? Dots<bits>::run : units;
    constexpr int step = unit_step < run ? unit_step : run;
    const int8_t* const codes = tile.codes + tile_block * scale_block * W;
    const int32_t* const head_of_block = tile.heads + tile_block * head_words * W;
    const float* const head_floats = reinterpret_cast<const float*>(head_of_block);
    [[maybe_unused]] Floats folded[W];  // exact: integers below 2^24
    INGLE_UNROLL
    for (int part = 0; part < parts; ++part) {
        const int in_head = head_part(parts, part);
        const int32_t* const minus_code_sums = head_of_block + (head_minus + in_head) * W;
        // With few columns, one sum alone would wait for its own additions.
        constexpr int lanes = W <= 2 ? Dots<bits>::lanes : 1;
        Dots<bits> dots[lanes][W];
        INGLE_UNROLL
        for (int c = 0; c < W; ++c) {
            dots[0][c].start(minus_code_sums + c);
            if constexpr (lanes == 2) dots[1][c].start_second();
        }
        Units<Unpacker> reader;
        INGLE_UNROLL
        for (int first = 0; first < units; first += run) {
            INGLE_UNROLL
            for (int c = 0; c < W; ++c) dots[0][c].open();
            for (int i = 0; i < run; i += step) {
                INGLE_UNROLL
                for (int j = 0; j < step; ++j) {
                    const int unit = part * units + first + i + j;
                    const Weights weights = prepare<bits>(reader.read(cell, block * 8 + unit));
                    INGLE_UNROLL
                    for (int c = 0; c < W; ++c)
                        dots[unit % lanes][c].add(weights, load_quad(codes + (unit * W + c) * 4));
                }
            }
            INGLE_UNROLL
            for (int c = 0; c < W; ++c) dots[0][c].close();
        }
        if constexpr (lanes == 2) {
            INGLE_UNROLL
            for (int c = 0; c < W; ++c) dots[0][c].join(dots[1][c]);
        }
        const Floats scale = Unpacker::scale(head, cell, block * parts + part);
        if constexpr (folds<Unpacker>) {
            const Floats level = to_floats(Unpacker::levels(cell, block * parts + part));
            INGLE_UNROLL
            for (int c = 0; c < W; ++c) {
                const Floats dot = dots[0][c].finish(minus_code_sums + c);
                folded[c] = part == 0 ? mul(dot, level) : fma(dot, level, folded[c]);
            }
        } else {
            INGLE_UNROLL
            for (int c = 0; c < W; ++c)
                chains.sums[c] = fma(dots[0][c].finish(minus_code_sums + c),
                                     mul(scale, broadcast(head_floats[c])), chains.sums[c]);
        }
        if constexpr (Unpacker::has_minimum) {
            const Floats minimum =
                centred_minimum<Unpacker>(head, cell, block * parts + part, scale);
            const float* const sums = head_floats + (head_sums + in_head) * W;
            INGLE_UNROLL
            for (int c = 0; c < W; ++c)
                chains.minima[c] = fma(minimum, broadcast(sums[c]), chains.minima[c]);
        }
    }
    if constexpr (folds<Unpacker>) {
        const Floats scale = Unpacker::unit_scale(head);
        INGLE_UNROLL
        for (int c = 0; c < W; ++c)
            chains.sums[c] =
                fma(folded[c], mul(scale, broadcast(head_floats[c])), chains.sums[c]);
    }
}

template <class Unpacker, int W>
void direct_int8(const MatmulJob& job, int64_t first_group, int64_t last_group) {
    constexpr int blocks = Unpacker::cell_columns / int(scale_block);
    constexpr int step = unrolled_blocks<Unpacker>();
    const TileView tile = view_tile(*job.activations, 0);
    const int64_t cells = cell_count<Unpacker>(*job.weights);
    for (int64_t group = first_group; group < last_group; ++group) {
        const std::byte* cell = job.weights->data + size_t(group) * job.weights->group_bytes;
        Chains<W> chains;
        INGLE_UNROLL
        for (int c = 0; c < W; ++c) chains.sums[c] = chains.minima[c] = zero();
        for (int64_t index = 0; index < cells; ++index, cell += Unpacker::cell_bytes) {
            const typename Unpacker::Head head = Unpacker::head(cell);
            for (int first = 0; first < blocks; first += step) {
                INGLE_UNROLL
                for (int i = 0; i < step; ++i) {
                    const int block = first + i;
                    prefetch_ahead<Unpacker>(cell, block);
                    multiply_block<Unpacker, W>(cell, head, block, tile, index * blocks + block,
                                                chains);
                }
            }
        }
        float sums[W * group_rows], minima[W * group_rows];
        for (int c = 0; c < W; ++c) {
            store(sums + c * group_rows, chains.sums[c]);
            store(minima + c * group_rows, chains.minima[c]);
        }
        finish(job, group, 0, job.activations->tokens, sums,
               Unpacker::has_minimum ? minima : nullptr, group_rows);
    }
}

// G groups side by side: one chain alone would wait for its own additions.
template <class Unpacker, int W, int G>
INGLE_INLINE void direct_f32_groups(const MatmulJob& job, int64_t group) {
    const float* const x = view_tile(*job.activations, 0).values;
    const std::byte* const data = job.weights->data + size_t(group) * job.weights->group_bytes;
    const int64_t step = int64_t(job.weights->group_bytes);
    Floats chains[G][W];
    INGLE_UNROLL
    for (int g = 0; g < G; ++g) {
        INGLE_UNROLL
        for (int c = 0; c < W; ++c) chains[g][c] = zero();
    }
    for (int64_t k = 0; k < job.weights->columns; ++k) {
        const std::byte* const at = data + k * int64_t(Unpacker::cell_bytes);
        INGLE_UNROLL
        for (int g = 0; g < G; ++g) {
            __builtin_prefetch(at + g * step + prefetch_bytes / G, 0, 2);
            const Floats weights = Unpacker::values(at + g * step);
            INGLE_UNROLL
            for (int c = 0; c < W; ++c)
                chains[g][c] = fma(weights, broadcast(x[k * W + c]), chains[g][c]);
        }
    }
    for (int g = 0; g < G; ++g) {
        float sums[W * group_rows];
        for (int c = 0; c < W; ++c) store(sums + c * group_rows, chains[g][c]);
        finish(job, group + g, 0, job.activations->tokens, sums, nullptr, group_rows);
    }
}

template <class Unpacker, int W>
void direct_f32(const MatmulJob& job, int64_t first_group, int64_t last_group) {
    int64_t group = first_group;
    for (; group + panel_groups <= last_group; group += panel_groups)
        direct_f32_groups<Unpacker, W, panel_groups>(job, group);
    for (; group < last_group; ++group) direct_f32_groups<Unpacker, W, 1>(job, group);
}

template <class Unpacker, int W = 1>
void direct(const MatmulJob& job, int64_t first_group, int64_t last_group) {
    if (column_count(*job.activations) != W) {
        if constexpr (W < tile_columns) direct<Unpacker, W + 1>(job, first_group, last_group);
        return;
    }
    if constexpr (Unpacker::kind == ActivationKind::int8)
        direct_int8<Unpacker, W>(job, first_group, last_group);
    else
        direct_f32<Unpacker, W>(job, first_group, last_group);
}
