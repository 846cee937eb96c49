// What several unpackers share beside cells.h: small fields, signs, rows of codebooks, odd scales.
// Kernel text: included once per instruction set, inside its namespace.

// Half a byte of one row into a row of 16; rows come in ascending order.
INGLE_INLINE void put_nibble(unsigned nibble, int row, std::byte* to) {
    if (row % 2 == 0)
        to[row / 2] = std::byte(nibble & 15);
    else
        to[row / 2] |= std::byte((nibble & 15) << 4);
}
// Signs of 8 columns of one row, to where the signs of a unit are 64 bits: 4 for each of the 16
// rows.
INGLE_INLINE void put_signs(unsigned signs, int row, std::byte* to) {
    put_nibble(signs, row, to);
    put_nibble(signs >> 4, row, to + 8);
}
// A 16-bit word of one row into a row of 16.
INGLE_INLINE void put_word(unsigned word, int row, std::byte* to) {
    const uint16_t narrow = uint16_t(word);
    __builtin_memcpy(to + 2 * row, &narrow, 2);
}

// The scales and minima that quant::PackedScales holds, four at a time: number b is byte b % 4 of word b / 4.
struct SixBitLevels {
    uint32_t scales[2], minima[2];

    INGLE_INLINE explicit SixBitLevels(const quant::PackedScales& packed) {
        uint32_t low, middle, high;
        __builtin_memcpy(&low, packed.bytes, 4);
        __builtin_memcpy(&middle, packed.bytes + 4, 4);
        __builtin_memcpy(&high, packed.bytes + 8, 4);
        scales[0] = low & 0x3f3f3f3f;
        scales[1] = (high & 0x0f0f0f0f) | (low >> 2 & 0x30303030);
        minima[0] = middle & 0x3f3f3f3f;
        minima[1] = (high >> 4 & 0x0f0f0f0f) | (middle >> 2 & 0x30303030);
    }
};

// A field of a byte of each row.
INGLE_INLINE Codes load_field(const std::byte* p, int shift, int mask) {
    return word_field(load_words_u8(p), shift, mask);
}
// 2 * level + 1
INGLE_INLINE Floats odd_multiple(Codes levels) {
    return fma(broadcast(2), to_floats(levels), broadcast(1));
}
// Numbers of codebook rows, one by one in memory.
struct RowNumbers {
    alignas(64) uint32_t at[16];

    INGLE_INLINE explicit RowNumbers(Codes words) {
        store_codes(reinterpret_cast<std::byte*>(at), words);
    }
};
// As bytes of a cell.
INGLE_INLINE const uint8_t* row_numbers(const std::byte* p) {
    return reinterpret_cast<const uint8_t*>(p);
}
// 8 numbers of codebook rows with signs.
INGLE_INLINE CodesPair with_signs(CodesPair numbers, const std::byte* bits, int centre) {
    return {with_signs(numbers.first, bits, centre), with_signs(numbers.second, bits + 8, centre)};
}
// 16 + eighths of a codebook row + 1 or - 1: `plus` is 1 for the rows of weights where it is + 1,
// else 0.
INGLE_INLINE Codes with_offset(Codes eighths, Codes plus) {
    const Codes two = word_or(plus, plus, 8);
    const Codes four = word_or(two, two, 16);
    return add_bytes(add_bytes(eighths, each(15)), add_bytes(four, four));
}
INGLE_INLINE CodesPair with_offset(CodesPair eighths, Codes plus) {
    return {with_offset(eighths.first, plus), with_offset(eighths.second, plus)};
}
// 2^(exponent - 128), as quant's half_of_e8m0: a power of two for each half of the exponent.
INGLE_INLINE Floats load_half_of_e8m0(const std::byte* p) {
    const Codes exponents = load_words_u8(p);
    const Codes halves = word_add(word_field(exponents, 1, 127), 63);
    const Floats power = as_floats(word_or(each(0), halves, 23));
    return mul(mul(power, power), add(to_floats(word_field(exponents, 0, 1)), broadcast(1)));
}
// As quant's half_of_ue4m3, for bytes up to 0x7e: the bits of a float whose exponent is 119 too
// small.
INGLE_INLINE Floats load_half_of_ue4m3(const std::byte* p) {
    const Codes bytes = load_words_u8(p);
    return mul(as_floats(word_or(each(0), bytes, 20)), broadcast(0x1p119f));
}

// Levels as bytes for look_up().
constexpr LookUpTable iq4_table() {
    LookUpTable table = {};
    for (int i = 0; i < 16; ++i) table.bytes[i] = uint8_t(int(quant::iq4_levels[i]) + 128);
    return table;
}
constexpr LookUpTable e2m1_table() {
    LookUpTable table = {};
    for (int i = 0; i < 16; ++i) table.bytes[i] = uint8_t(quant::e2m1_doubled[i] + 16);
    return table;
}
constexpr LookUpTable iq4_bytes = iq4_table(), e2m1_bytes = e2m1_table();
