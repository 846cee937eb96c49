// TQ2_0:  value = scale * (code - 1); unpacked to code + 3
//   cell (256 columns, 1088 bytes): codes [2 halves][8 words][16 rows][4 bytes]; scales [16] f16;
//     32 bytes unused
// As in the file: word i of a half has columns 4i.. at bit 0, 32 + 4i.. at bit 2 and so on.
struct TQ2_0 {
    using Format = quant::TQ2_0;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 1088;
    static constexpr int bits = 3, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int unrolled_blocks = 1;
    static constexpr int64_t d_at = 1024;
    struct Head {
        Floats d;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        scatter_words(block.codes, 16, row, cell);
        put_half(block.scale, row, cell + d_at);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const Codes word = load_codes(cell + u / 32 * 512 + u % 8 * 64);
        return add_bytes(field(word, u / 8 % 4 * 2, 3), each(3));
    }
    INGLE_INLINE static Head head(const std::byte* cell) { return {load_f16(cell + d_at)}; }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte*, int) { return head.d; }
};
