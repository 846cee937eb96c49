// Q5_0:  value = scale * (code - 16)
//   cell (64 columns, 704 bytes): scales [2 blocks][16] f16;
//     codes [2 blocks][4 words][16 rows][4 bytes];
//     fifth bits [2 blocks][16 rows][4 bytes]: bit u of byte i is the top bit of column 4u + i
// Word i of a block has columns 4i.. in the low nibbles and 16 + 4i.. in the high ones, as in the
// file.
struct Q5_0 {
    using Format = quant::Q5_0;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 64;
    static constexpr size_t cell_bytes = 704;
    static constexpr int bits = 5, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int64_t codes_at = 64, fifth_bits_at = codes_at + 512;
    struct Head {};

    static void pack(const Format::Block& block, int row, int b, std::byte* cell) {
        put_half(block.scale, row, cell + 32 * b);
        scatter_words(block.codes, 4, row, cell + codes_at + 256 * b);
        const uint32_t word = spread_fifth_bits(block.fifth_bits);
        scatter_words(&word, 1, row, cell + fifth_bits_at + 64 * b);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const Codes word = load_codes(cell + codes_at + u / 8 * 256 + u % 4 * 64);
        const Codes fifth = load_codes(cell + fifth_bits_at + u / 8 * 64);
        return merge(field(word, u % 8 / 4 * 4, 15), fifth, u % 8, 1, 4);
    }
    INGLE_INLINE static Head head(const std::byte*) { return {}; }
    INGLE_INLINE static Floats scale(const Head&, const std::byte* cell, int s) {
        return load_f16(cell + 32 * s);
    }
};
