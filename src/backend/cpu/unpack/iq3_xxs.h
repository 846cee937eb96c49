// IQ3_XXS:  value = (d / 4 * (2 level[b] + 1)) * (+-row),  b = column / 32; unpacked to 64 +- row
//   cell (256 columns, 1632 bytes): d [16] f16; levels [4][16] u8: two nibbles;
//     numbers of codebook rows [64][16] u8; minus signs [64 units][16 rows][4 bits]
// The eighth sign of 8 is stored, unlike in the file: finding it anew would cost more than its bit.
struct IQ3_XXS {
    using Format = quant::IQ3_XXS;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 1632;
    static constexpr int bits = 7, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int unrolled_blocks = 1;
    static constexpr int64_t levels_at = 32, rows_at = 96, signs_at = 1120;
    struct Head {
        Floats unit;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        for (int k = 0; k < 64; ++k) cell[rows_at + 16 * k + row] = std::byte(block.rows[k]);
        for (int b = 0; b < 8; ++b) {
            const uint32_t word = block.word(size_t(b));
            for (int k = 0; k < 4; ++k)
                put_signs(quant::even_signs(word >> (7 * k)), row,
                          cell + signs_at + 16 * (4 * b + k));
            const uint32_t first = block.word(size_t(b & ~1)), second = block.word(size_t(b | 1));
            cell[levels_at + 16 * (b / 2) + row] = std::byte(first >> 28 | second >> 28 << 4);
        }
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const uint8_t* const rows = row_numbers(cell + rows_at + 16 * u);
        return with_signs(gather(quant::iq3_xxs_grid.words, rows), cell + signs_at + 8 * u, 64);
    }
    INGLE_INLINE static Head head(const std::byte* cell) {
        return {mul(load_f16(cell), broadcast(0.25f))};
    }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        const Codes level = load_field(cell + levels_at + 16 * (s / 2), s % 2 * 4, 15);
        return mul(head.unit, odd_multiple(level));
    }
};
