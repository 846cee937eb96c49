// Q4_1:  value = scale * code + minimum
//   cell (64 columns, 640 bytes): scales [2 blocks][16] f16; minima likewise;
//     codes [2 blocks][4 words][16 rows][4 bytes]
// Word i of a block has columns 4i.. in the low nibbles and 16 + 4i.. in the high ones, as in the
// file.
struct Q4_1 {
    using Format = quant::Q4_1;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 64;
    static constexpr size_t cell_bytes = 640;
    static constexpr int bits = 4, scale_columns = 32;
    static constexpr bool has_minimum = true;
    static constexpr int64_t minima_at = 64, codes_at = 128;
    struct Head {};

    static void pack(const Format::Block& block, int row, int b, std::byte* cell) {
        put_half(block.scale, row, cell + 32 * b);
        put_half(block.offset, row, cell + minima_at + 32 * b);
        scatter_words(block.codes, 4, row, cell + codes_at + 256 * b);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const Codes word = load_codes(cell + codes_at + u / 8 * 256 + u % 4 * 64);
        return field(word, u % 8 / 4 * 4, 15);
    }
    INGLE_INLINE static Head head(const std::byte*) { return {}; }
    INGLE_INLINE static Floats scale(const Head&, const std::byte* cell, int s) {
        return load_f16(cell + 32 * s);
    }
    INGLE_INLINE static Floats minimum(const Head&, const std::byte* cell, int s) {
        return load_f16(cell + minima_at + 32 * s);
    }
};
