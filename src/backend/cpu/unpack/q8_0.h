// Q8_0:  value = scale * code, the code a signed byte; packed with 128 added
//   cell (64 columns, 1088 bytes): scales [2 blocks][16] f16; codes [16 words][16 rows][4 bytes]
struct Q8_0 {
    using Format = quant::Q8_0;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 64;
    static constexpr size_t cell_bytes = 1088;
    static constexpr int bits = 8, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int64_t codes_at = 64;
    struct Head {};

    static void pack(const Format::Block& block, int row, int b, std::byte* cell) {
        put_half(block.scale, row, cell + 32 * b);
        uint8_t codes[32];
        for (int i = 0; i < 32; ++i) codes[i] = uint8_t(block.codes[i]) ^ 0x80u;
        scatter_words(codes, 8, row, cell + codes_at + 512 * b);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        return load_codes(cell + codes_at + u * 64);
    }
    INGLE_INLINE static Head head(const std::byte*) { return {}; }
    INGLE_INLINE static Floats scale(const Head&, const std::byte* cell, int s) {
        return load_f16(cell + 32 * s);
    }
};
