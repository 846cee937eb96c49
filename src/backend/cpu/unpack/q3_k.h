// Q3_K:  value = (d * (level[b] - 32)) * (code - 4),  b = column / 16
//   cell (256 columns, 1792 bytes): top bits [8 words][16 rows][4 bytes];
//     low bits [2 halves][8 words][16 rows][4 bytes]; levels [12][16] u8; d [16] f16; 32 bytes
// unused As in the file: word i of a half has the low 2 bits of columns 4i.. at bit 0, of 32 + 4i..
// at bit 2 and so on; word i of the top bits has in bit 4h + k those of columns 128h + 32k + 4i...
struct Q3_K {
    using Format = quant::Q3_K;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 1792;
    static constexpr int bits = 3, scale_columns = 16;
    static constexpr bool has_minimum = false;
    static constexpr int64_t low_at = 512, levels_at = 1536, d_at = 1728;
    struct Head {
        Floats d;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        scatter_words(block.top_bits, 8, row, cell);
        scatter_words(block.low_bits, 16, row, cell + low_at);
        for (int i = 0; i < 12; ++i)
            cell[levels_at + 16 * i + row] = std::byte(block.levels.bytes[i]);
        put_half(block.scale, row, cell + d_at);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const int i = u % 8, k = u / 8;
        const Codes low = load_codes(cell + low_at + k / 4 * 512 + i * 64);
        return merge(field(low, k % 4 * 2, 3), load_codes(cell + i * 64), k, 1, 2);
    }
    INGLE_INLINE static Head head(const std::byte* cell) { return {load_f16(cell + d_at)}; }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        const std::byte* const levels = cell + levels_at;
        const Codes low = load_field(levels + 16 * (s % 8), s / 8 * 4, 15);
        const Codes high = load_field(levels + 16 * (8 + s % 4), s / 4 * 2, 3);
        return mul(head.d, to_floats(word_add(word_or(low, high, 4), -32)));
    }
};
