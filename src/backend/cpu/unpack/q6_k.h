// Q6_K:  value = (d * scale[b]) * (code - 32),  b = column / 16
//   cell (256 columns, 3392 bytes): d [16] f16; 32 bytes unused; scales [16 b][16] s8;
//   low bits [32 words][16 rows][4 bytes]; high bits [16 words][16 rows][4 bytes]
// As in the file: column 128h + 32k + 4i.. has its low 4 bits in word 16h + 8(k % 2) + i, in the upper nibble for k >= 2,
// and its top 2 bits in word 8h + i of the high bits, at bit 2k.
struct Q6_K {
    using Format = quant::Q6_K;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 3392;
    static constexpr int bits = 6, scale_columns = 16;
    static constexpr bool has_minimum = false;
    static constexpr int64_t scales_at = 64, low_at = 320, high_at = low_at + 2048;
    struct Head {
        Floats d;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        for (int b = 0; b < 16; ++b) cell[scales_at + 16 * b + row] = std::byte(block.scales[b]);
        scatter_words(block.low_bits, 32, row, cell + low_at);
        scatter_words(block.high_bits, 16, row, cell + high_at);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const int h = u / 32, k = u / 8 % 4, i = u % 8;
        const Codes low = load_codes(cell + low_at + (16 * h + 8 * (k % 2) + i) * 64);
        const Codes high = load_codes(cell + high_at + (8 * h + i) * 64);
        return join(field(low, k / 2 * 4, 15), field(high, 2 * k, 3), 4);
    }
    INGLE_INLINE static Head head(const std::byte* cell) { return {load_f16(cell)}; }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        return mul(head.d, load_s8(cell + scales_at + 16 * s));
    }
};
