// Q2_K:  value = (d * scale[b]) * code - d_min * min[b],  b = column / 16
//   cell (256 columns, 1344 bytes): codes [2 halves][8 words][16 rows][4 bytes];
//     levels [16 b][16] u8: scale in the low nibble, min in the high; d [16] f16; d_min [16] f16
// As in the file: word i of a half has columns 4i.. at bit 0, 32 + 4i.. at bit 2 and so on.
struct Q2_K {
    using Format = quant::Q2_K;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 1344;
    static constexpr int bits = 2, scale_columns = 16, folded_bits = 6;
    static constexpr bool has_minimum = true;
    static constexpr int64_t levels_at = 1024, d_at = 1280, d_min_at = 1312;
    struct Head {
        Floats d, minus_d_min;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        scatter_words(block.codes, 16, row, cell);
        for (int b = 0; b < 16; ++b) cell[levels_at + 16 * b + row] = std::byte(block.levels[b]);
        put_half(block.scale, row, cell + d_at);
        put_half(block.min_scale, row, cell + d_min_at);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        return field(load_codes(cell + u / 32 * 512 + u % 8 * 64), u / 8 % 4 * 2, 3);
    }
    INGLE_INLINE static Head head(const std::byte* cell) {
        return {load_f16(cell + d_at), mul(load_f16(cell + d_min_at), broadcast(-1))};
    }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        return mul(head.d, to_floats(levels(cell, s)));
    }
    INGLE_INLINE static Codes levels(const std::byte* cell, int s) {
        return load_field(cell + levels_at + 16 * s, 0, 15);
    }
    INGLE_INLINE static Floats unit_scale(const Head& head) { return head.d; }
    INGLE_INLINE static Floats minimum(const Head& head, const std::byte* cell, int s) {
        return mul(head.minus_d_min, to_floats(load_field(cell + levels_at + 16 * s, 4, 15)));
    }
};
