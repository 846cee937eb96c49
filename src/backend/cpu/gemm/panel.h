// Products with many columns: a panel of rows is expanded once, a stretch of its depth at a time,
// and then multiplied with all columns by one core per width of code. Kernel text: included once
// per instruction set, inside its namespace.
//
//   panel of codes:  [group][unit of 4 columns][16 rows][4]
//   scales, minima:  [block][group][16 rows] f32
//   panel of values: [group][k][16 rows] f32
//   accumulators:    [column][group][16 rows] f32, kept between stretches: a chain goes on where
//                    it stopped

constexpr int panel_rows = panel_groups * group_rows;
constexpr int64_t panel_group_stride = int8_panel_depth / 4 * panel_unit_bytes;  // of codes

struct Panel {
    std::byte* codes;
    float* scales;
    float* minima;
    float* sums;          // accumulators of the dot products
    float* minimum_sums;  // and of the minima
};

inline Panel panel_in(std::byte* scratch) {
    float* const scales = reinterpret_cast<float*>(scratch + panel_bytes_max);
    float* const minima = scales + panel_scale_floats_max;
    float* const sums = minima + panel_scale_floats_max;
    return {scratch, scales, minima, sums, sums + accumulator_floats_max / 2};
}

static_assert(int8_panel_depth / 4 * panel_unit_bytes * panel_groups <= int64_t(panel_bytes_max) &&
              f32_panel_depth * panel_rows * int64_t(sizeof(float)) <= int64_t(panel_bytes_max) &&
              panel_groups <= 2 && panel_columns_max % tile_columns == 0);

// The chains of a panel and a tile in registers.
template <int W>
struct Sums {
    Floats at[panel_groups][W];

    INGLE_INLINE void load_from(const float* accumulators) {
        INGLE_UNROLL
        for (int g = 0; g < panel_groups; ++g) {
            INGLE_UNROLL
            for (int c = 0; c < W; ++c)
                at[g][c] = load(accumulators + c * panel_rows + g * group_rows);
        }
    }
    INGLE_INLINE void store_to(float* accumulators) const {
        INGLE_UNROLL
        for (int g = 0; g < panel_groups; ++g) {
            INGLE_UNROLL
            for (int c = 0; c < W; ++c)
                store(accumulators + c * panel_rows + g * group_rows, at[g][c]);
        }
    }
};

// Exact dot products of one scale block, panel x tile.
template <int Bits, int W>
struct PanelDots {
    Dots<Bits> at[panel_groups][W];

    INGLE_INLINE void start(const int32_t* minus_code_sums) {
        INGLE_UNROLL
        for (int c = 0; c < W; ++c) {
            INGLE_UNROLL
            for (int g = 0; g < panel_groups; ++g) at[g][c].start(minus_code_sums + c);
        }
    }
    // `run` units, few enough that narrow accumulators cannot overflow.
    INGLE_INLINE void add(const std::byte* weights, const int8_t* codes, int run) {
        INGLE_UNROLL
        for (int c = 0; c < W; ++c) {
            INGLE_UNROLL
            for (int g = 0; g < panel_groups; ++g) at[g][c].open();
        }
        for (int i = 0; i < run; ++i, weights += panel_unit_bytes, codes += 4 * W) {
            Weights w[panel_groups];
            INGLE_UNROLL
            for (int g = 0; g < panel_groups; ++g)
                w[g] = load_weights(weights + g * panel_group_stride);
            INGLE_UNROLL
            for (int c = 0; c < W; ++c) {
                const Quad quad = load_quad(codes + 4 * c);
                INGLE_UNROLL
                for (int g = 0; g < panel_groups; ++g) at[g][c].add(w[g], quad);
            }
        }
        INGLE_UNROLL
        for (int c = 0; c < W; ++c) {
            INGLE_UNROLL
            for (int g = 0; g < panel_groups; ++g) at[g][c].close();
        }
    }
};

// Expands cells [first, first + cells) of one group.
template <class Unpacker>
void expand_int8(const std::byte* cell, int64_t cells, int group, const Panel& panel) {
    constexpr int scales = Unpacker::cell_columns / Unpacker::scale_columns;
    constexpr int units = Unpacker::scale_columns / 4;  // of a scale
    constexpr int bits = panel_bits<Unpacker>();
    constexpr int64_t stride = panel_groups * group_rows;
    std::byte* codes = panel.codes + group * panel_group_stride;
    float* panel_scales = panel.scales + group * group_rows;
    float* panel_minima = panel.minima + group * group_rows;
    for (int64_t index = 0; index < cells; ++index, cell += Unpacker::cell_bytes) {
        Units<Unpacker> reader;
        const typename Unpacker::Head head = Unpacker::head(cell);
        for (int s = 0; s < scales; ++s) {
            if constexpr (folds<Unpacker>) {
                const Folding<Unpacker> folding(cell, s);
                for (int i = 0; i < units; ++i, codes += panel_unit_bytes)
                    store_weights(codes, prepare<bits>(folding.of(reader.read(cell, s * units + i))));
            } else {
                for (int i = 0; i < units; ++i, codes += panel_unit_bytes)
                    store_weights(codes, prepare<bits>(reader.read(cell, s * units + i)));
            }
            const Floats scale = Unpacker::scale(head, cell, s);
            if constexpr (Unpacker::has_minimum) {
                store(panel_minima, centred_minimum<Unpacker>(head, cell, s, scale));
                panel_minima += stride;
            }
            if constexpr (folds<Unpacker>) {
                if (s * Unpacker::scale_columns % scale_block != 0) continue;
                store(panel_scales, Unpacker::unit_scale(head));
            } else {
                store(panel_scales, scale);
            }
            panel_scales += stride;
        }
    }
}

// The int8 core: `blocks` blocks of the panel times the columns of a tile, from `tile_block` on.
template <int Bits, int ScaleColumns, int W>
void multiply_int8(const Panel& panel, const TileView& tile, int64_t tile_block, int64_t blocks,
                   float* accumulators) {
    constexpr int parts = int(scale_block) / ScaleColumns;
    constexpr int units = ScaleColumns / 4;
    constexpr int run = Dots<Bits>::run < units ? Dots<Bits>::run : units;
    Sums<W> sums;
    sums.load_from(accumulators);
    const std::byte* weights = panel.codes;
    const float* scales = panel.scales;
    const int8_t* codes = tile.codes + tile_block * scale_block * W;
    const int32_t* head = tile.heads + tile_block * head_words * W;
    for (int64_t block = 0; block < blocks; ++block, head += head_words * W) {
        INGLE_UNROLL
        for (int part = 0; part < parts; ++part, scales += panel_rows) {
            const int32_t* const minus_code_sums = head + (head_minus + head_part(parts, part)) * W;
            PanelDots<Bits, W> dots;
            dots.start(minus_code_sums);
            INGLE_UNROLL
            for (int first = 0; first < units; first += run) {
                dots.add(weights, codes, run);
                weights += run * panel_unit_bytes;
                codes += run * 4 * W;
            }
            INGLE_UNROLL
            for (int g = 0; g < panel_groups; ++g) {
                const Floats scale = load(scales + g * group_rows);
                INGLE_UNROLL
                for (int c = 0; c < W; ++c) {
                    const Floats product = dots.at[g][c].finish(minus_code_sums + c);
                    sums.at[g][c] =
                        fma(product, mul(scale, broadcast(float_of(head[c]))), sums.at[g][c]);
                }
            }
        }
    }
    sums.store_to(accumulators);
}

// The second chain: minimum x sum of the activations.
template <int ScaleColumns, int W>
void multiply_minima(const Panel& panel, const TileView& tile, int64_t tile_block, int64_t blocks,
                     float* accumulators) {
    Sums<W> sums;
    sums.load_from(accumulators);
    const float* minima = panel.minima;
    const int32_t* head = tile.heads + tile_block * head_words * W;
    constexpr int parts = int(scale_block) / ScaleColumns;
    for (int64_t block = 0; block < blocks; ++block, head += head_words * W) {
        INGLE_UNROLL
        for (int part = 0; part < parts; ++part, minima += panel_rows) {
            const int32_t* const activation_sums = head + (head_sums + head_part(parts, part)) * W;
            INGLE_UNROLL
            for (int g = 0; g < panel_groups; ++g) {
                const Floats minimum = load(minima + g * group_rows);
                INGLE_UNROLL
                for (int c = 0; c < W; ++c)
                    sums.at[g][c] =
                        fma(minimum, broadcast(float_of(activation_sums[c])), sums.at[g][c]);
            }
        }
    }
    sums.store_to(accumulators);
}

// The f32 core: `depth` columns of the panel, from column `first` of the tile on.
template <int W>
void multiply_f32(const Panel& panel, const TileView& tile, int64_t first, int64_t depth,
                  float* accumulators) {
    Sums<W> sums;
    sums.load_from(accumulators);
    const float* values = reinterpret_cast<const float*>(panel.codes);
    const float* x = tile.values + first * W;
    for (int64_t k = 0; k < depth; ++k, values += group_rows, x += W) {
        Floats weights[panel_groups];
        INGLE_UNROLL
        for (int g = 0; g < panel_groups; ++g)
            weights[g] = load(values + g * f32_panel_depth * group_rows);
        INGLE_UNROLL
        for (int c = 0; c < W; ++c) {
            const Floats activation = broadcast(x[c]);
            INGLE_UNROLL
            for (int g = 0; g < panel_groups; ++g)
                sums.at[g][c] = fma(weights[g], activation, sums.at[g][c]);
        }
    }
    sums.store_to(accumulators);
}

// One tile, whatever its width.
template <class Unpacker, int W = 1>
void multiply_tile(const Panel& panel, const TileView& tile, int64_t first, int64_t depth,
                   int64_t accumulator) {
    if (tile.width != W) {
        if constexpr (W < tile_columns)
            multiply_tile<Unpacker, W + 1>(panel, tile, first, depth, accumulator);
        return;
    }
    float* const sums = panel.sums + accumulator;
    if constexpr (Unpacker::kind == ActivationKind::f32) {
        multiply_f32<W>(panel, tile, first, depth, sums);
    } else {
        multiply_int8<panel_bits<Unpacker>(), panel_scale_columns<Unpacker>(), W>(
            panel, tile, first / scale_block, depth / scale_block, sums);
        if constexpr (Unpacker::has_minimum)
            multiply_minima<Unpacker::scale_columns, W>(panel, tile, first / scale_block,
                                                        depth / scale_block,
                                                        panel.minimum_sums + accumulator);
    }
}

template <class Unpacker>
void expand(const PackedMatrix& weights, int64_t first_group, int64_t groups, int64_t first,
            int64_t depth, const Panel& panel) {
    for (int g = 0; g < int(groups); ++g) {
        const std::byte* const cell = weights.data + size_t(first_group + g) * weights.group_bytes +
                                      first / Unpacker::cell_columns * Unpacker::cell_bytes;
        if constexpr (Unpacker::kind == ActivationKind::int8) {
            expand_int8<Unpacker>(cell, depth / Unpacker::cell_columns, g, panel);
        } else {
            float* const values =
                reinterpret_cast<float*>(panel.codes) + g * f32_panel_depth * group_rows;
            for (int64_t k = 0; k < depth; ++k)
                store(values + k * group_rows,
                      Unpacker::values(cell + k * int64_t(Unpacker::cell_bytes)));
        }
    }
}

template <class Unpacker>
void panel(const MatmulJob& job, const PanelTask& task, std::byte* scratch) {
    constexpr bool is_int8 = Unpacker::kind == ActivationKind::int8;
    constexpr int64_t depth_max = is_int8 ? int8_panel_depth : f32_panel_depth;
    const Panel panel = panel_in(scratch);
    const Activations& activations = *job.activations;
    const int64_t depth_total = cell_count<Unpacker>(*job.weights) * Unpacker::cell_columns;
    const int64_t columns = task.last_column - task.first_column;
    // A missing second group multiplies what the scratch held before; its sums are never looked at.
    for (int64_t i = 0; i < columns * panel_rows; ++i) panel.sums[i] = panel.minimum_sums[i] = 0;
    for (int64_t first = 0; first < depth_total; first += depth_max) {
        const int64_t left = depth_total - first;
        const int64_t depth = left < depth_max ? left : depth_max;
        expand<Unpacker>(*job.weights, task.first_group, task.groups, first, depth, panel);
        for (int64_t column = 0; column < columns; column += tile_columns) {
            const TileView tile =
                view_tile(activations, (task.first_column + column) / tile_columns);
            multiply_tile<Unpacker>(panel, tile, first, depth, column * panel_rows);
        }
    }
    for (int64_t g = 0; g < task.groups; ++g)
        finish(job, task.first_group + g, task.first_column / activations.planes,
               task.last_column / activations.planes, panel.sums + g * group_rows,
               Unpacker::has_minimum ? panel.minimum_sums + g * group_rows : nullptr, panel_rows);
}
