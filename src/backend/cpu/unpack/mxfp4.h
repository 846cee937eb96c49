// MXFP4:  value = 2^(exponent - 128) * doubled[code]; unpacked to doubled[code] + 16
//   cell (64 columns, 544 bytes): codes [2 blocks][4 words][16 rows][4 bytes];
//     exponents [2 blocks][16] u8
// Word i of a block has columns 4i.. in the low nibbles and 16 + 4i.. in the high ones, as in the
// file.
struct MXFP4 {
    using Format = quant::MXFP4;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 64;
    static constexpr size_t cell_bytes = 544;
    static constexpr int bits = 5, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int64_t exponents_at = 512;
    struct Head {};

    static void pack(const Format::Block& block, int row, int b, std::byte* cell) {
        scatter_words(block.codes, 4, row, cell + 256 * b);
        cell[exponents_at + 16 * b + row] = std::byte(block.exponent);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const Codes word = load_codes(cell + u / 8 * 256 + u % 4 * 64);
        return look_up(e2m1_bytes.bytes, field(word, u % 8 / 4 * 4, 15));
    }
    INGLE_INLINE static Head head(const std::byte*) { return {}; }
    INGLE_INLINE static Floats scale(const Head&, const std::byte* cell, int s) {
        return load_half_of_e8m0(cell + exponents_at + 16 * s);
    }
};
