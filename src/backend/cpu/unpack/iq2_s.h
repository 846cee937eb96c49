// IQ2_S:  value = (d / 8 * (2 level[b] + 1)) * (+-row),  b = column / 16; unpacked to 64 +- row
//   cell (256 columns, 1312 bytes): d [16] f16; levels [8][16] u8: two nibbles;
//     numbers of codebook rows: low [32][16] u8, top 2 bits [8][16] u8;
//     minus signs [64 units][16 rows][4 bits]
struct IQ2_S {
    using Format = quant::IQ2_S;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 1312;
    static constexpr int bits = 7, scale_columns = 16;
    static constexpr bool has_minimum = false;
    static constexpr int unrolled_blocks = 1;
    static constexpr int64_t levels_at = 32, low_at = 160, high_at = 672, signs_at = 800;
    struct Head {
        Floats unit;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        for (int i = 0; i < 8; ++i) {
            cell[levels_at + 16 * i + row] = std::byte(block.levels[i]);
            cell[high_at + 16 * i + row] = std::byte(block.high_rows[i]);
        }
        for (int k = 0; k < 32; ++k) {
            cell[low_at + 16 * k + row] = std::byte(block.low_rows[k]);
            put_signs(block.signs[k], row, cell + signs_at + 16 * k);
        }
    }
    INGLE_INLINE static CodesPair pair(const std::byte* cell, int k) {
        const Codes rows = word_or(load_words_u8(cell + low_at + 16 * k),
                                   load_field(cell + high_at + 16 * (k / 4), k % 4 * 2, 3), 8);
        const RowNumbers numbers(rows);
        return with_signs(gather_pairs(quant::iq2_s_grid.words, numbers.at),
                          cell + signs_at + 16 * k, 64);
    }
    INGLE_INLINE static Head head(const std::byte* cell) {
        return {mul(load_f16(cell), broadcast(0.125f))};
    }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        const Codes level = load_field(cell + levels_at + 16 * (s / 2), s % 2 * 4, 15);
        return mul(head.unit, odd_multiple(level));
    }
};
