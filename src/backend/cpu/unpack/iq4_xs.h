// IQ4_XS:  value = (d * (level[b] - 32)) * levels[code],  b = column / 32; unpacked to levels[code]
// + 128
//   cell (256 columns, 2176 bytes): codes [8 b][4 words][16 rows][4 bytes]; low levels [4][16] u8;
//     high levels [16] u16; d [16] f16
// Word i of a sub-block has columns 4i.. in the low nibbles and 16 + 4i.. in the high ones, as in
// the file.
struct IQ4_XS {
    using Format = quant::IQ4_XS;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 2176;
    static constexpr int bits = 8, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int64_t low_at = 2048, high_at = 2112, d_at = 2144;
    struct Head {
        Floats d;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        scatter_words(block.codes, 32, row, cell);
        for (int i = 0; i < 4; ++i) cell[low_at + 16 * i + row] = std::byte(block.low_levels[i]);
        put_word(block.high_levels, row, cell + high_at);
        put_half(block.scale, row, cell + d_at);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const Codes word = load_codes(cell + u / 8 * 256 + u % 4 * 64);
        return look_up(iq4_bytes.bytes, field(word, u % 8 / 4 * 4, 15));
    }
    INGLE_INLINE static Head head(const std::byte* cell) { return {load_f16(cell + d_at)}; }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        const Codes low = load_field(cell + low_at + 16 * (s / 2), s % 2 * 4, 15);
        const Codes high = word_field(load_words_u16(cell + high_at), 2 * s, 3);
        return mul(head.d, to_floats(word_add(word_or(low, high, 4), -32)));
    }
};
