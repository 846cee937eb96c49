// Q5_K:  value = (d * scale[b]) * code - d_min * min[b],  b = column / 32
//   cell (256 columns, 2880 bytes): d [16] f16; d_min [16] f16;
//     fifth bits [8 words][16 rows][4 bytes]; chunks [4]
//   chunk (64 columns, 576 bytes): scales [2 b][16] u8; mins [2 b][16] u8;
//     codes [8 words][16 rows][4 bytes]
// Word i of a chunk has columns 4i.. in the low nibbles and 32 + 4i.. in the high ones; word i of
// the fifth bits has in bit b the top bits of columns 32b + 4i..; both as in the file.
struct Q5_K {
    using Format = quant::Q5_K;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 2880;
    static constexpr int bits = 5, scale_columns = 32;
    static constexpr bool has_minimum = true;
    static constexpr int64_t fifth_bits_at = 64, chunks_at = fifth_bits_at + 512, chunk_bytes = 576;
    static constexpr int64_t minima_at = 32, codes_at = 64;  // in a chunk
    struct Head {
        Floats d, minus_d_min;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        put_half(block.scale, row, cell);
        put_half(block.min_scale, row, cell + 32);
        scatter_words(block.fifth_bits, 8, row, cell + fifth_bits_at);
        const SixBitLevels levels(block.levels);
        INGLE_UNROLL
        for (int b = 0; b < 8; ++b) {
            std::byte* const chunk = cell + chunks_at + b / 2 * chunk_bytes;
            chunk[b % 2 * 16 + row] = std::byte(levels.scales[b / 4] >> b % 4 * 8);
            chunk[minima_at + b % 2 * 16 + row] = std::byte(levels.minima[b / 4] >> b % 4 * 8);
            if (b % 2 == 0) scatter_words(block.codes + 16 * b, 8, row, chunk + codes_at);
        }
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const std::byte* const chunk = cell + chunks_at + u / 16 * chunk_bytes;
        const Codes low = field(load_codes(chunk + codes_at + u % 8 * 64), u % 16 / 8 * 4, 15);
        return merge(low, load_codes(cell + fifth_bits_at + u % 8 * 64), u / 8, 1, 4);
    }
    INGLE_INLINE static Head head(const std::byte* cell) {
        return {load_f16(cell), mul(load_f16(cell + 32), broadcast(-1))};
    }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte* cell, int s) {
        const std::byte* const chunk = cell + chunks_at + s / 2 * chunk_bytes;
        return mul(head.d, load_u8(chunk + s % 2 * 16));
    }
    INGLE_INLINE static Floats minimum(const Head& head, const std::byte* cell, int s) {
        const std::byte* const chunk = cell + chunks_at + s / 2 * chunk_bytes;
        return mul(head.minus_d_min, load_u8(chunk + minima_at + s % 2 * 16));
    }
};
