// Q6_K:  value = (d * scale[b]) * (code - 32),  b = column / 16
//   cell (256 columns, 3392 bytes): d [16] f16; 32 bytes unused; halves [2]
//   half (128 columns, 1664 bytes): scales [4 b][16] s8; pairs [8] of a low and a high word;
//     low words 8 to 15 [8]; scales of the other 4 b;   a word: [16 rows][4 bytes]
// As in the file: column 32k + 4i.. of a half has its low 4 bits in low word 8(k % 2) + i, in the
// upper nibble for k >= 2, and its top 2 bits in high word i, at bit 2k. Everything lies in the
// order in which it is first read.
struct Q6_K {
    using Format = quant::Q6_K;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 3392;
    static constexpr int bits = 6, scale_columns = 16;
    static constexpr bool has_minimum = false;
    static constexpr int64_t halves_at = 64, half_bytes = 1664;
    static constexpr int64_t pairs_at = 64, low_at = pairs_at + 1024, last_scales_at = low_at + 512;
    struct Head {
        Floats d;
    };

    // Scale s = 0..15 of the cell, for 16 rows.
    INGLE_INLINE static int64_t scale_at(int s) {
        return halves_at + s / 8 * half_bytes + s % 8 / 4 * last_scales_at + s % 4 * 16;
    }
    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        INGLE_UNROLL
        for (int s = 0; s < 16; ++s) cell[scale_at(s) + row] = std::byte(block.scales[s]);
        INGLE_UNROLL
        for (int h = 0; h < 2; ++h) {
            std::byte* const half = cell + halves_at + h * half_bytes;
            INGLE_UNROLL
            for (int i = 0; i < 8; ++i) {
                scatter_words(block.low_bits + 64 * h + 4 * i, 1, row, half + pairs_at + 128 * i);
                scatter_words(block.high_bits + 32 * h + 4 * i, 1, row,
                              half + pairs_at + 128 * i + 64);
            }
            scatter_words(block.low_bits + 64 * h + 32, 8, row, half + low_at);
        }
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const std::byte* const half = cell + halves_at + u / 32 * half_bytes;
        const int k = u / 8 % 4, i = u % 8;
        const Codes low = load_codes(half + (k % 2 == 0 ? pairs_at + 128 * i : low_at + 64 * i));
        const Codes high = load_codes(half + pairs_at + 128 * i + 64);
        return merge(field(low, k / 2 * 4, 15), high, 2 * k, 3, 4);
    }
    INGLE_INLINE static Head head(const std::byte* cell) { return {load_f16(cell)}; }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        return mul(head.d, load_s8(cell + scale_at(s)));
    }
};
