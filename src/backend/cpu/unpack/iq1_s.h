// IQ1_S:  value = (d / 8 * (2 level[b] + 1)) * (8 row +- 1),  b = column / 32; unpacked to 16 + 8
// row +- 1
//   cell (256 columns, 800 bytes): d [16] f16; low bits of the numbers of codebook rows [32][16]
// u8;
//     words of the file, their top bit inverted [8 b][16] u16: top bits of the numbers, level, a
// plus sign
struct IQ1_S {
    using Format = quant::IQ1_S;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 800;
    static constexpr int bits = 5, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int unrolled_blocks = 1;
    static constexpr int64_t low_at = 32, words_at = 544;
    struct Head {
        Floats unit;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        for (int k = 0; k < 32; ++k) cell[low_at + 16 * k + row] = std::byte(block.low_rows[k]);
        for (int b = 0; b < 8; ++b)
            put_word(block.high_rows[b] ^ 0x8000u, row, cell + words_at + 32 * b);
    }
    INGLE_INLINE static CodesPair pair(const std::byte* cell, int k) {
        const Codes word = load_words_u16(cell + words_at + 32 * (k / 4));
        const RowNumbers rows(word_or(load_words_u8(cell + low_at + 16 * k),
                                      word_field(word, k % 4 * 3, 7), 8));
        return with_offset(gather_pairs(quant::iq1_s_grid.words, rows.at), word_field(word, 15, 1));
    }
    INGLE_INLINE static Head head(const std::byte* cell) {
        return {mul(load_f16(cell), broadcast(0.125f))};
    }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        const Codes word = load_words_u16(cell + words_at + 32 * s);
        return mul(head.unit, odd_multiple(word_field(word, 12, 7)));
    }
};
