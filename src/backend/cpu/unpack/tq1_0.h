// TQ1_0:  value = scale * (trit - 1); unpacked to trit + 1
//   cell (256 columns, 896 bytes): trits [13 words][16 rows][4 bytes]; scales [16] f16; 32 bytes
// unused As in the file: trit n of word i < 8 is of columns 32n + 4i.., of words 8 to 11 of 160 +
// 16n + 4(i - 8).., of word 12 of 240 + 4n...
struct TQ1_0 {
    using Format = quant::TQ1_0;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 256;
    static constexpr size_t cell_bytes = 896;
    static constexpr int bits = 2, scale_columns = 32;
    static constexpr bool has_minimum = false;
    static constexpr int unrolled_blocks = 1;
    static constexpr int64_t d_at = 832;
    struct Head {
        Floats d;
    };

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        scatter_words(block.trits, 13, row, cell);
        put_half(block.scale, row, cell + d_at);
    }
    // A byte is a fraction of 256: each step takes its first trit away. What is left has 1 more for
    // each third of 256 that it reaches.
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const int word = u < 40 ? u % 8 : u < 60 ? 8 + u % 4 : 12;
        const int trit = u < 40 ? u / 8 : u < 60 ? (u - 40) / 4 : u - 60;
        Codes fraction = load_codes(cell + 64 * word);
        for (int i = 0; i < trit; ++i)
            fraction = add_bytes(fraction, add_bytes(fraction, fraction));
        return add_bytes(each(1), add_bytes(at_least(fraction, 86), at_least(fraction, 171)));
    }
    INGLE_INLINE static Head head(const std::byte* cell) { return {load_f16(cell + d_at)}; }
    INGLE_INLINE static Floats scale(const Head& head, const std::byte*, int) { return head.d; }
};
