// Q4_K:  value = (d * scale[b]) * code - d_min * min[b],  b = column / 32
//   cell (256 columns, 2368 bytes): d [16] f16; d_min [16] f16; scales [8 b][16] u8; mins [8 b][16] u8;
//   codes [4 chunks][8 words][16 rows][4 bytes]
// Word i of chunk c has columns 64c + 4i.. in the low nibbles and 64c + 32 + 4i.. in the high ones, as in the file.
struct Q4_K {
    using Format = quant::Q4_K;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 2368;
    static constexpr int bits = 4, scale_columns = 32;
    static constexpr bool has_minimum = true;
    static constexpr int64_t scales_at = 64, minima_at = 192, codes_at = 320;
    struct Head {
        Floats d, minus_d_min;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        put_half(block.min_scale, row, cell + 32);
        for (int b = 0; b < 8; ++b) {
            cell[scales_at + 16 * b + row] = std::byte(block.levels.scale(b));
            cell[minima_at + 16 * b + row] = std::byte(block.levels.min(b));
        }
        scatter_words(block.codes, 32, row, cell + codes_at);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const Codes word = load_codes(cell + codes_at + (u / 16 * 8 + u % 8) * 64);
        return field(word, u % 16 / 8 * 4, 15);
    }
    INGLE_INLINE static Head head(const std::byte* cell) {
        return {load_f16(cell), mul(load_f16(cell + 32), broadcast(-1))};
    }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        return mul(head.d, load_u8(cell + scales_at + 16 * s));
    }
    INGLE_INLINE static Floats minimum(const Head& head, const std::byte* cell, int s) {
        return mul(head.minus_d_min, load_u8(cell + minima_at + 16 * s));
    }
};
