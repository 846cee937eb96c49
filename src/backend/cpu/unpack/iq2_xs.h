// IQ2_XS:  value = (d / 8 * (2 level[b] + 1)) * (+-row),  b = column / 16; unpacked to 64 +- row
//   cell (256 columns, 1248 bytes): d [16] f16; levels [8][16] u8: two nibbles;
//     numbers of codebook rows: low [32][16] u8, ninth bits [4][16] u8; minus signs [64 units][16
// rows][4 bits] The eighth sign of 8 is stored, unlike in the file: finding it anew would cost more
// than its bit.
struct IQ2_XS {
    using Format = quant::IQ2_XS;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 1248;
    static constexpr int bits = 7, scale_columns = 16;
    static constexpr bool has_minimum = false;
    static constexpr int unrolled_blocks = 1;
    static constexpr int64_t levels_at = 32, low_at = 160, high_at = 672, signs_at = 736;
    struct Head {
        Floats unit;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        for (int i = 0; i < 8; ++i) cell[levels_at + 16 * i + row] = std::byte(block.levels[i]);
        unsigned high = 0;
        for (int k = 0; k < 32; ++k) {
            const unsigned code = block.codes[k];
            cell[low_at + 16 * k + row] = std::byte(code & 255);
            put_signs(quant::even_signs(code >> 9), row, cell + signs_at + 16 * k);
            high |= (code >> 8 & 1) << k % 8;
            if (k % 8 < 7) continue;
            cell[high_at + 16 * (k / 8) + row] = std::byte(high);
            high = 0;
        }
    }
    INGLE_INLINE static CodesPair pair(const std::byte* cell, int k) {
        const Codes rows = word_or(load_words_u8(cell + low_at + 16 * k),
                                   load_field(cell + high_at + 16 * (k / 8), k % 8, 1), 8);
        const RowNumbers numbers(rows);
        return with_signs(gather_pairs(quant::iq2_xs_grid.words, numbers.at),
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
