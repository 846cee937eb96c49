// IQ3_S:  value = (d * (2 level[b] + 1)) * (+-row),  b = column / 32; unpacked to 16 +- row
//   cell (256 columns, 1760 bytes): d [16] f16; levels [4][16] u8: two nibbles;
//     numbers of codebook rows: low [64][16] u8, ninth bits [8][16] u8; minus signs [64 units][16
// rows][4 bits]
struct IQ3_S {
    using Format = quant::IQ3_S;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 1760;
    static constexpr int bits = 5, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int unrolled_blocks = 1;
    static constexpr int64_t levels_at = 32, low_at = 96, high_at = 1120, signs_at = 1248;
    struct Head {
        Floats d;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        for (int i = 0; i < 4; ++i) cell[levels_at + 16 * i + row] = std::byte(block.levels[i]);
        for (int k = 0; k < 64; ++k) cell[low_at + 16 * k + row] = std::byte(block.low_rows[k]);
        for (int i = 0; i < 8; ++i) cell[high_at + 16 * i + row] = std::byte(block.high_rows[i]);
        for (int k = 0; k < 32; ++k) put_signs(block.signs[k], row, cell + signs_at + 16 * k);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const Codes row = word_or(load_words_u8(cell + low_at + 16 * u),
                                  load_field(cell + high_at + 16 * (u / 8), u % 8, 1), 8);
        return with_signs(gather(quant::iq3_s_grid.words, row), cell + signs_at + 8 * u, 16);
    }
    INGLE_INLINE static Head head(const std::byte* cell) { return {load_f16(cell)}; }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        const Codes level = load_field(cell + levels_at + 16 * (s / 2), s % 2 * 4, 15);
        return mul(head.d, odd_multiple(level));
    }
};
