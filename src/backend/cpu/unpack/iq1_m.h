// IQ1_M:  value = (d / 8 * (2 level[b] + 1)) * (8 row +- 1),  b = column / 16; unpacked to 16 + 8
// row +- 1
//   cell (256 columns, 928 bytes): d [16] f16; levels [8][16] u8: two nibbles;
//     low bits of the numbers of codebook rows [32][16] u8;
//     nibbles of the file, their top bit inverted [16][16] u8: top bits of the number, a plus sign
struct IQ1_M {
    using Format = quant::IQ1_M;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 928;
    static constexpr int bits = 5, scale_columns = 16;
    static constexpr bool has_minimum = false;
    static constexpr int unrolled_blocks = 1;
    static constexpr int64_t levels_at = 32, low_at = 160, high_at = 672;
    struct Head {
        Floats unit;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale(), row, cell);
        for (int i = 0; i < 8; ++i) {
            const int level = block.level(size_t(2 * i)), next = block.level(size_t(2 * i + 1));
            cell[levels_at + 16 * i + row] = std::byte(level | next << 4);
        }
        for (int k = 0; k < 32; ++k) cell[low_at + 16 * k + row] = std::byte(block.low_rows[k]);
        for (int i = 0; i < 16; ++i)
            cell[high_at + 16 * i + row] = std::byte(block.high_rows[i] ^ 0x88u);
    }
    INGLE_INLINE static CodesPair pair(const std::byte* cell, int k) {
        const int shift = k % 2 * 4;
        const Codes high = load_words_u8(cell + high_at + 16 * (k / 2));
        const RowNumbers rows(
            word_or(load_words_u8(cell + low_at + 16 * k), word_field(high, shift, 7), 8));
        return with_offset(gather_pairs(quant::iq1_s_grid.words, rows.at),
                           word_field(high, shift + 3, 1));
    }
    INGLE_INLINE static Head head(const std::byte* cell) {
        return {mul(load_f16(cell), broadcast(0.125f))};
    }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        const Codes level = load_field(cell + levels_at + 16 * (s / 2), s % 2 * 4, 7);
        return mul(head.unit, odd_multiple(level));
    }
};
