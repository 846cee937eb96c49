// NVFP4:  value = ue4m3(scale[b]) / 2 * doubled[code],  b = column / 16; unpacked to doubled[code]
// + 16
//   cell (64 columns, 576 bytes): scales [4 b][16] u8, without the top bit, 0 for 0x7f;
//     codes [4 b][2 words][16 rows][4 bytes]
// Word i of a sub-block has columns 4i.. in the low nibbles and 8 + 4i.. in the high ones, as in
// the file.
struct NVFP4 {
    using Format = quant::NVFP4;
    static constexpr ActivationKind kind = ActivationKind::int8;
    static constexpr int cell_columns = 64;
    static constexpr size_t cell_bytes = 576;
    static constexpr int bits = 5, scale_columns = 16;
    static constexpr bool has_minimum = false;
    static constexpr int64_t codes_at = 64;
    struct Head {};

    static void pack(const Format::Block& block, int row, int, std::byte* cell) {
        for (int b = 0; b < 4; ++b) {
            const unsigned scale = block.scales[b] == 0x7f ? 0u : block.scales[b] & 0x7fu;
            cell[16 * b + row] = std::byte(scale);
        }
        scatter_words(block.codes, 8, row, cell + codes_at);
    }
    INGLE_INLINE static Codes unit(const std::byte* cell, int u) {
        const Codes word = load_codes(cell + codes_at + u / 4 * 128 + u % 2 * 64);
        return look_up(e2m1_bytes.bytes, field(word, u % 4 / 2 * 4, 15));
    }
    INGLE_INLINE static Head head(const std::byte*) { return {}; }
    INGLE_INLINE static Floats scale(const Head&, const std::byte* cell, int s) {
        return load_half_of_ue4m3(cell + 16 * s);
    }
};
