// IQ4_NL:  value = scale * levels[code]; unpacked to levels[code] + 128
//   cell (64 columns, 576 bytes): scales [2 blocks][16] f16;
//     codes [2 blocks][4 words][16 rows][4 bytes]
// Word i of a block has columns 4i.. in the low nibbles and 16 + 4i.. in the high ones, as in the
// file.
struct IQ4_NL {
    using Format = quant::IQ4_NL;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 64;
    static constexpr size_t cell_bytes = 576;
    static constexpr int bits = 8, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int64_t codes_at = 64;
    struct Head {};

    static void pack(const Format::Block& block, int row, int b, std::byte* cell) {
        put_half(block.scale, row, cell + 32 * b);
        scatter_words(block.codes, 4, row, cell + codes_at + 256 * b);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const Codes word = load_codes(cell + codes_at + u / 8 * 256 + u % 4 * 64);
        return look_up(iq4_bytes.bytes, field(word, u % 8 / 4 * 4, 15));
    }
    INGLE_INLINE static Head head(const std::byte*) { return {}; }
    INGLE_INLINE static Floats scale(const Head&, const std::byte* cell, int s) {
        return load_f16(cell + 32 * s);
    }
};
