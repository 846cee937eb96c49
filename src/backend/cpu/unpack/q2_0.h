// Q2_0:  value = scale * (code - 1); unpacked to code + 3
//   cell (64 columns, 288 bytes): codes [4 words][16 rows][4 bytes]; scales [16] f16
// Byte k of word i has columns 16i + k, 16i + 4 + k, 16i + 8 + k and 16i + 12 + k, the first at bit
// 0.
struct Q2_0 {
    using Format = quant::Q2_0;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 64;
    static constexpr size_t cell_bytes = 288;
    static constexpr int bits = 3, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int64_t d_at = 256;
    struct Head {
        Floats d;
    };

    // 16 columns: the 4 x 4 fields are transposed.
    INGLE_INLINE static uint32_t transposed(const uint8_t* bytes) {
        uint32_t word = 0;
        for (int m = 0; m < 4; ++m)
            for (int k = 0; k < 4; ++k)
                word |= uint32_t(bytes[m] >> (2 * k) & 3) << (8 * k + 2 * m);
        return word;
    }
    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        for (int i = 0; i < 4; ++i) {
            const uint32_t word = transposed(block.codes + 4 * i);
            scatter_words(&word, 1, row, cell + 64 * i);
        }
        put_half(block.scale, row, cell + d_at);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        return add_bytes(field(load_codes(cell + u / 4 * 64), u % 4 * 2, 3), each(3));
    }
    INGLE_INLINE static Head head(const std::byte* cell) { return {load_f16(cell + d_at)}; }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte*, int) { return head.d; }
};
