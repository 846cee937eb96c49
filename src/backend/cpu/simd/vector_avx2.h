// 16 rows in two AVX2 registers of 8. Included inside a namespace of its own.

constexpr Isa isa = Isa::avx2;
constexpr int tile_columns = 4;  // 2 x 4 accumulators of 16 registers
constexpr int panel_groups = 1;
constexpr int block_step = 8, unit_step = 8;  // of a cell's blocks, of a block's units, unrolled
constexpr int panel_unit_bytes = 64;          // of one group: 4 columns of 16 rows

struct Floats {  // [16 rows]
    __m256 a, b;
};
struct Codes {  // [16 rows][4 columns] u8
    __m256i a, b;
};
struct CodesPair {
    Codes first, second;
};
using Weights = Codes;  // u8 codes, or s8 where the code has 8 bits
using Quad = __m256i;   // 4 columns of one token, repeated

INGLE_INLINE Floats zero() {
    return {_mm256_setzero_ps(), _mm256_setzero_ps()};
}
INGLE_INLINE Floats broadcast(float x) {
    return {_mm256_set1_ps(x), _mm256_set1_ps(x)};
}
INGLE_INLINE Floats load(const float* p) {
    return {_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)};
}
INGLE_INLINE void store(float* p, Floats x) {
    _mm256_storeu_ps(p, x.a);
    _mm256_storeu_ps(p + 8, x.b);
}
INGLE_INLINE Floats add(Floats x, Floats y) {
    return {_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)};
}
INGLE_INLINE Floats mul(Floats x, Floats y) {
    return {_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)};
}
INGLE_INLINE Floats fma(Floats x, Floats y, Floats z) {
    return {_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)};
}

INGLE_INLINE __m128i load_128(const std::byte* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
INGLE_INLINE __m128i load_64(const std::byte* p) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
}
INGLE_INLINE __m256i load_256(const std::byte* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
INGLE_INLINE Floats load_f16(const std::byte* p) {
    return {_mm256_cvtph_ps(load_128(p)), _mm256_cvtph_ps(load_128(p + 16))};
}
INGLE_INLINE __m256 widen_bf16(__m128i halves) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}
INGLE_INLINE Floats load_bf16(const std::byte* p) {
    return {widen_bf16(load_128(p)), widen_bf16(load_128(p + 16))};
}
INGLE_INLINE Floats load_u8(const std::byte* p) {
    return {_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(load_64(p))),
            _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(load_64(p + 8)))};
}
INGLE_INLINE Floats load_s8(const std::byte* p) {
    return {_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(load_64(p))),
            _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(load_64(p + 8)))};
}

INGLE_INLINE Codes load_codes(const std::byte* p) {
    return {load_256(p), load_256(p + 32)};
}
INGLE_INLINE void store_codes(std::byte* p, Codes x) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x.a);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p + 32), x.b);
}
// Each byte: (x >> shift) & mask, where the mask keeps out the neighbour's bits.
INGLE_INLINE Codes field(Codes x, int shift, int mask) {
    const __m256i keep = _mm256_set1_epi8(char(mask));
    return {_mm256_and_si256(_mm256_srli_epi16(x.a, shift), keep),
            _mm256_and_si256(_mm256_srli_epi16(x.b, shift), keep)};
}
// Each byte: low | ((high >> from) & mask) << to.
INGLE_INLINE __m256i merge(__m256i low, __m256i high, int from, int mask, int to) {
    const __m256i moved =
        from > to ? _mm256_srli_epi16(high, from - to) : _mm256_slli_epi16(high, to - from);
    return _mm256_or_si256(low, _mm256_and_si256(moved, _mm256_set1_epi8(char(mask << to))));
}
INGLE_INLINE Codes merge(Codes low, Codes high, int from, int mask, int to) {
    return {merge(low.a, high.a, from, mask, to), merge(low.b, high.b, from, mask, to)};
}

// Each byte, modulo 256.
INGLE_INLINE Codes each(int byte) {
    return {_mm256_set1_epi8(char(byte)), _mm256_set1_epi8(char(byte))};
}
INGLE_INLINE Codes add_bytes(Codes x, Codes y) {
    return {_mm256_add_epi8(x.a, y.a), _mm256_add_epi8(x.b, y.b)};
}
// Each byte: 1 if it is at least `bound`, else 0.
INGLE_INLINE __m256i at_least(__m256i x, __m256i bound) {
    const __m256i reached = _mm256_cmpeq_epi8(_mm256_max_epu8(x, bound), x);
    return _mm256_and_si256(reached, _mm256_set1_epi8(1));
}
INGLE_INLINE Codes at_least(Codes x, int bound) {
    const __m256i bounds = _mm256_set1_epi8(char(bound));
    return {at_least(x.a, bounds), at_least(x.b, bounds)};
}
// Each byte, 0 to 15: its entry in a table of 16.
INGLE_INLINE Codes look_up(const uint8_t* table, Codes x) {
    const __m256i entries =
        _mm256_broadcastsi128_si256(load_128(reinterpret_cast<const std::byte*>(table)));
    return {_mm256_shuffle_epi8(entries, x.a), _mm256_shuffle_epi8(entries, x.b)};
}
// Each byte: centre - x where its bit of the 64 is set, else centre + x.
INGLE_INLINE __m256i with_signs(__m256i x, const std::byte* bits, int centre) {
    int32_t word;
    __builtin_memcpy(&word, bits, 4);
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,  //
                                            2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const __m256i own = _mm256_set1_epi64x(int64_t(0x8040201008040201u));
    const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(word), spread);
    const __m256i minus = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, own), own);
    const __m256i value = _mm256_sub_epi8(_mm256_xor_si256(x, minus), minus);
    return _mm256_add_epi8(value, _mm256_set1_epi8(char(centre)));
}
INGLE_INLINE Codes with_signs(Codes x, const std::byte* bits, int centre) {
    return {with_signs(x.a, bits, centre), with_signs(x.b, bits + 4, centre)};
}

// Codes as one 32-bit word a row.
INGLE_INLINE Codes load_words_u8(const std::byte* p) {
    return {_mm256_cvtepu8_epi32(load_64(p)), _mm256_cvtepu8_epi32(load_64(p + 8))};
}
INGLE_INLINE Codes load_words_u16(const std::byte* p) {
    return {_mm256_cvtepu16_epi32(load_128(p)), _mm256_cvtepu16_epi32(load_128(p + 16))};
}
// (x >> shift) & mask
INGLE_INLINE Codes word_field(Codes x, int shift, int mask) {
    const __m256i keep = _mm256_set1_epi32(mask);
    return {_mm256_and_si256(_mm256_srli_epi32(x.a, shift), keep),
            _mm256_and_si256(_mm256_srli_epi32(x.b, shift), keep)};
}
// low | high << to
INGLE_INLINE Codes word_or(Codes low, Codes high, int to) {
    return {_mm256_or_si256(low.a, _mm256_slli_epi32(high.a, to)),
            _mm256_or_si256(low.b, _mm256_slli_epi32(high.b, to))};
}
INGLE_INLINE Codes word_add(Codes x, int number) {
    const __m256i numbers = _mm256_set1_epi32(number);
    return {_mm256_add_epi32(x.a, numbers), _mm256_add_epi32(x.b, numbers)};
}
INGLE_INLINE Floats to_floats(Codes words) {
    return {_mm256_cvtepi32_ps(words.a), _mm256_cvtepi32_ps(words.b)};
}
// Each byte times the word of its row; no product is above 255.
INGLE_INLINE Codes multiply_rows(Codes x, Codes words) {
    const Codes halves = word_or(words, words, 16);
    return {_mm256_mullo_epi16(x.a, halves.a), _mm256_mullo_epi16(x.b, halves.b)};
}
// Floats with these bits.
INGLE_INLINE Floats as_floats(Codes words) {
    return {_mm256_castsi256_ps(words.a), _mm256_castsi256_ps(words.b)};
}
// Words of a table, and pairs of words, for 16 rows: numbers [16]. Numbers that lie in memory are
// looked up one by one: for pairs that is twice as fast as gather instructions.
template <class Number>
INGLE_INLINE Codes gather(const uint32_t* table, const Number* numbers) {
    const auto at = [&](int row) { return int32_t(table[numbers[row]]); };
    return {_mm256_setr_epi32(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)),
            _mm256_setr_epi32(at(8), at(9), at(10), at(11), at(12), at(13), at(14), at(15))};
}
INGLE_INLINE Codes gather(const uint32_t* table, Codes numbers) {
    const int* const words = reinterpret_cast<const int*>(table);
    return {_mm256_i32gather_epi32(words, numbers.a, 4), _mm256_i32gather_epi32(words, numbers.b, 4)};
}
template <class Number>
INGLE_INLINE CodesPair gather_pairs(const uint32_t* pairs, const Number* numbers) {
    const auto at = [&](int row) {
        int64_t pair;
        __builtin_memcpy(&pair, pairs + 2 * size_t(numbers[row]), 8);
        return pair;
    };
    // Rows 0 1 4 5 and 2 3 6 7: words are then picked within the halves of a register.
    const auto pick = [&](int first, __m256i& even, __m256i& odd) {
        const __m256 x = _mm256_castsi256_ps(
            _mm256_setr_epi64x(at(first), at(first + 1), at(first + 4), at(first + 5)));
        const __m256 y = _mm256_castsi256_ps(
            _mm256_setr_epi64x(at(first + 2), at(first + 3), at(first + 6), at(first + 7)));
        even = _mm256_castps_si256(_mm256_shuffle_ps(x, y, 0x88));
        odd = _mm256_castps_si256(_mm256_shuffle_ps(x, y, 0xdd));
    };
    CodesPair units;
    pick(0, units.first.a, units.second.a);
    pick(8, units.first.b, units.second.b);
    return units;
}

// 8-bit codes u8 x s8 would overflow the 16-bit pair sums: they become s8 again.
template <int Bits>
INGLE_INLINE Weights prepare(Codes x) {
    if constexpr (Bits < 8) return x;
    const __m256i offset = _mm256_set1_epi8(char(0x80));
    return {_mm256_xor_si256(x.a, offset), _mm256_xor_si256(x.b, offset)};
}
INGLE_INLINE void store_weights(std::byte* p, Weights x) {
    store_codes(p, x);
}
INGLE_INLINE Weights load_weights(const std::byte* p) {
    return load_codes(p);
}

INGLE_INLINE Quad load_quad(const int8_t* p) {
    int32_t word;
    __builtin_memcpy(&word, p, 4);
    return _mm256_set1_epi32(word);
}

// Exact dot products of one scale block: 16 rows, one token. Pairs are added in 16 bits as long as
// they cannot overflow (`run` additions of 2 x code x 127), then widened. The offset 2^(Bits-1) of
// the codes is taken back at the end: until then narrow codes need no 32-bit accumulator.
template <int Bits>
struct Dots {
    static constexpr int run = 32767 / (((1 << Bits) - 1) * 254);
    static constexpr int lanes = 1;
    __m256i narrow_a, narrow_b, wide_a, wide_b;

    INGLE_INLINE void start(const int32_t*) { wide_a = wide_b = _mm256_setzero_si256(); }
    INGLE_INLINE void open() { narrow_a = narrow_b = _mm256_setzero_si256(); }
    INGLE_INLINE void add(Weights w, Quad q) {
        narrow_a = _mm256_add_epi16(narrow_a, _mm256_maddubs_epi16(w.a, q));
        narrow_b = _mm256_add_epi16(narrow_b, _mm256_maddubs_epi16(w.b, q));
    }
    INGLE_INLINE void close() {
        const __m256i ones = _mm256_set1_epi16(1);
        wide_a = _mm256_add_epi32(wide_a, _mm256_madd_epi16(narrow_a, ones));
        wide_b = _mm256_add_epi32(wide_b, _mm256_madd_epi16(narrow_b, ones));
    }
    INGLE_INLINE Floats finish(const int32_t* minus_code_sum) const {
        const __m256i offset = _mm256_slli_epi32(_mm256_set1_epi32(*minus_code_sum), Bits - 1);
        return {_mm256_cvtepi32_ps(_mm256_add_epi32(wide_a, offset)),
                _mm256_cvtepi32_ps(_mm256_add_epi32(wide_b, offset))};
    }
};

// s8 x s8 as |weight| x (activation with the weight's sign): 2 x 128 x 127 fits 16 bits once.
template <>
struct Dots<8> {
    static constexpr int run = 1;
    static constexpr int lanes = 1;
    __m256i wide_a, wide_b;

    INGLE_INLINE void start(const int32_t*) { wide_a = wide_b = _mm256_setzero_si256(); }
    INGLE_INLINE void open() {}
    INGLE_INLINE static __m256i product(__m256i w, Quad q) {
        const __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(w), _mm256_sign_epi8(q, w));
        return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    }
    INGLE_INLINE void add(Weights w, Quad q) {
        wide_a = _mm256_add_epi32(wide_a, product(w.a, q));
        wide_b = _mm256_add_epi32(wide_b, product(w.b, q));
    }
    INGLE_INLINE void close() {}
    INGLE_INLINE Floats finish(const int32_t*) const {
        return {_mm256_cvtepi32_ps(wide_a), _mm256_cvtepi32_ps(wide_b)};
    }
};
