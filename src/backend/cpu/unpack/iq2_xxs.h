// IQ2_XXS:  value = (d / 8 * (2 level[b] + 1)) * (+-row),  b = column / 32; unpacked to 64 +- row
//   cell (256 columns, 1120 bytes): d [16] f16; levels [4][16] u8: two nibbles;
//     numbers of codebook rows [32][16] u8; minus signs [64 units][16 rows][4 bits]
// The eighth sign of 8 is stored, unlike in the file: finding it anew would cost more than its bit.
struct IQ2_XXS {
    using Format = quant::IQ2_XXS;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 1120;
    static constexpr int bits = 7, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int unrolled_blocks = 1;
    static constexpr int64_t levels_at = 32, rows_at = 96, signs_at = 608;
    struct Head {
        Floats unit;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        for (int b = 0; b < 8; ++b) {
            const auto& run = block.runs[b];
            const uint32_t word = run.word();
            for (int k = 0; k < 4; ++k) {
                cell[rows_at + 16 * (4 * b + k) + row] = std::byte(run.rows[k]);
                put_signs(quant::even_signs(word >> (7 * k)), row,
                          cell + signs_at + 16 * (4 * b + k));
            }
            const uint32_t next = block.runs[b | 1].word();
            cell[levels_at + 16 * (b / 2) + row] =
                std::byte(block.runs[b & ~1].word() >> 28 | next >> 28 << 4);
        }
    }
    INGLE_INLINE static CodesPair pair(const std::byte* cell, int k) {
        const uint8_t* const rows = row_numbers(cell + rows_at + 16 * k);
        return with_signs(gather_pairs(quant::iq2_xxs_grid.words, rows), cell + signs_at + 16 * k,
                          64);
    }
    INGLE_INLINE static Head head(const std::byte* cell) {
        return {mul(load_f16(cell), broadcast(0.125f))};
    }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        const Codes level = load_field(cell + levels_at + 16 * (s / 2), s % 2 * 4, 15);
        return mul(head.unit, odd_multiple(level));
    }
};
