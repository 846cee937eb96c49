// Q1_0:  value = scale or -scale; unpacked to 3 or 1
//   cell (128 columns, 288 bytes): scales [16] f16; minus signs [32 units][16 rows][4 bits]
struct Q1_0 {
    using Format = quant::Q1_0;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 128;
    static constexpr size_t cell_bytes = 288;
    static constexpr int bits = 2, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int64_t signs_at = 32;
    struct Head {
        Floats d;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        for (int i = 0; i < 16; ++i)
            put_signs(~unsigned(block.bits[i]), row, cell + signs_at + 16 * i);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        return with_signs(each(1), cell + signs_at + 8 * u, 2);
    }
    INGLE_INLINE static Head head(const std::byte* cell) { return {load_f16(cell)}; }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte*, int) { return head.d; }
};
