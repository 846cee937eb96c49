// 16 rows in one AVX-512 register: one f32, one int32, or 4 codes a row. Included inside a
// namespace of its own.

constexpr Isa isa = Isa::avx512;
constexpr int tile_columns = 6;  // 2 x 6 int32 and 2 x 6 f32 accumulators of 32 registers
constexpr int panel_groups = 2;
constexpr int block_step = 8, unit_step = 8;  // of a cell's blocks, of a block's units, unrolled
constexpr int panel_unit_bytes = 64;          // of one group: 4 columns of 16 rows

using Floats = __m512;    // [16 rows]
using Codes = __m512i;    // [16 rows][4 columns] u8
struct CodesPair {
    Codes first, second;
};
using Weights = __m512i;  // codes as the dot product takes them
using Quad = __m512i;     // 4 columns of one token, repeated

INGLE_INLINE Floats zero() {
    return _mm512_setzero_ps();
}
INGLE_INLINE Floats broadcast(float x) {
    return _mm512_set1_ps(x);
}
INGLE_INLINE Floats load(const float* p) {
    return _mm512_loadu_ps(p);
}
INGLE_INLINE void store(float* p, Floats x) {
    _mm512_storeu_ps(p, x);
}
INGLE_INLINE Floats add(Floats x, Floats y) {
    return _mm512_add_ps(x, y);
}
INGLE_INLINE Floats mul(Floats x, Floats y) {
    return _mm512_mul_ps(x, y);
}
INGLE_INLINE Floats fma(Floats x, Floats y, Floats z) {
    return _mm512_fmadd_ps(x, y, z);
}

INGLE_INLINE Floats load_f16(const std::byte* p) {
    return _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
INGLE_INLINE Floats load_bf16(const std::byte* p) {
    const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    return _mm512_castsi512_ps(
        _mm512_maskz_slli_epi32(0xffff, _mm512_maskz_cvtepu16_epi32(0xffff, halves), 16));
}
INGLE_INLINE Floats load_u8(const std::byte* p) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepu8_epi32(0xffff, bytes));
}
INGLE_INLINE Floats load_s8(const std::byte* p) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepi8_epi32(0xffff, bytes));
}

INGLE_INLINE Codes load_codes(const std::byte* p) {
    return _mm512_loadu_si512(p);
}
INGLE_INLINE void store_codes(std::byte* p, Codes x) {
    _mm512_storeu_si512(p, x);
}
// Each byte: (x >> shift) & mask, where the mask keeps out the neighbour's bits.
INGLE_INLINE Codes field(Codes x, int shift, int mask) {
    const Codes shifted = shift == 0 ? x : _mm512_maskz_srli_epi16(~0u, x, unsigned(shift));
    return _mm512_and_si512(shifted, _mm512_set1_epi8(char(mask)));
}
// Each byte: low | ((high >> from) & mask) << to.
INGLE_INLINE Codes merge(Codes low, Codes high, int from, int mask, int to) {
    const Codes moved = from > to ? _mm512_maskz_srli_epi16(~0u, high, unsigned(from - to))
                                  : _mm512_maskz_slli_epi16(~0u, high, unsigned(to - from));
    return _mm512_ternarylogic_epi32(low, moved, _mm512_set1_epi8(char(mask << to)), 0xf8);
}

// Each byte, modulo 256.
INGLE_INLINE Codes each(int byte) {
    return _mm512_set1_epi8(char(byte));
}
INGLE_INLINE Codes add_bytes(Codes x, Codes y) {
    return _mm512_add_epi8(x, y);
}
// Each byte: 1 if it is at least `bound`, else 0.
INGLE_INLINE Codes at_least(Codes x, int bound) {
    const __mmask64 reached = _mm512_cmpge_epu8_mask(x, _mm512_set1_epi8(char(bound)));
    return _mm512_maskz_mov_epi8(reached, _mm512_set1_epi8(1));
}
// Each byte, 0 to 15: its entry in a table of 16.
INGLE_INLINE Codes look_up(const uint8_t* table, Codes x) {
    const __m128i entries = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table));
    return _mm512_shuffle_epi8(_mm512_maskz_broadcast_i32x4(0xffff, entries), x);
}
// Each byte: centre - x where its bit of the 64 is set, else centre + x.
INGLE_INLINE Codes with_signs(Codes x, const std::byte* bits, int centre) {
    uint64_t minus;
    __builtin_memcpy(&minus, bits, 8);
    const Codes middle = _mm512_set1_epi8(char(centre));
    return _mm512_mask_sub_epi8(_mm512_add_epi8(middle, x), __mmask64(minus), middle, x);
}

// Codes as one 32-bit word a row.
INGLE_INLINE Codes load_words_u8(const std::byte* p) {
    return _mm512_maskz_cvtepu8_epi32(0xffff,
                                      _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
INGLE_INLINE Codes load_words_u16(const std::byte* p) {
    return _mm512_maskz_cvtepu16_epi32(0xffff,
                                       _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
// (x >> shift) & mask
INGLE_INLINE Codes word_field(Codes x, int shift, int mask) {
    return _mm512_and_si512(_mm512_maskz_srli_epi32(0xffff, x, unsigned(shift)),
                            _mm512_set1_epi32(mask));
}
// low | high << to
INGLE_INLINE Codes word_or(Codes low, Codes high, int to) {
    return _mm512_or_si512(low, _mm512_maskz_slli_epi32(0xffff, high, unsigned(to)));
}
INGLE_INLINE Codes word_add(Codes x, int number) {
    return _mm512_add_epi32(x, _mm512_set1_epi32(number));
}
INGLE_INLINE Floats to_floats(Codes words) {
    return _mm512_maskz_cvtepi32_ps(0xffff, words);
}
// Each byte times the word of its row; no product is above 255.
INGLE_INLINE Codes multiply_rows(Codes x, Codes words) {
    return _mm512_maskz_mullo_epi16(~0u, x, word_or(words, words, 16));
}
// Floats with these bits.
INGLE_INLINE Floats as_floats(Codes words) {
    return _mm512_castsi512_ps(words);
}
// Words of a table, and pairs of words, for 16 rows: numbers [16]. Numbers that lie in memory are
// looked up one by one: for pairs that is twice as fast as gather instructions.
template <class Number>
INGLE_INLINE Codes gather(const uint32_t* table, const Number* numbers) {
    const auto at = [&](int row) { return int32_t(table[numbers[row]]); };
    return _mm512_setr_epi32(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9),
                             at(10), at(11), at(12), at(13), at(14), at(15));
}
INGLE_INLINE Codes gather(const uint32_t* table, Codes numbers) {
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xffff, numbers, table, 4);
}
template <class Number>
INGLE_INLINE CodesPair gather_pairs(const uint32_t* pairs, const Number* numbers) {
    const auto at = [&](int row) {
        int64_t pair;
        __builtin_memcpy(&pair, pairs + 2 * size_t(numbers[row]), 8);
        return pair;
    };
    const __m512i a = _mm512_setr_epi64(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
    const __m512i b =
        _mm512_setr_epi64(at(8), at(9), at(10), at(11), at(12), at(13), at(14), at(15));
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    return {_mm512_permutex2var_epi32(a, even, b), _mm512_permutex2var_epi32(a, odd, b)};
}

template <int Bits>
INGLE_INLINE Weights prepare(Codes x) {
    return x;
}
INGLE_INLINE void store_weights(std::byte* p, Weights x) {
    store_codes(p, x);
}
INGLE_INLINE Weights load_weights(const std::byte* p) {
    return _mm512_loadu_si512(p);
}

INGLE_INLINE Quad load_quad(const int8_t* p) {
    int32_t word;
    __builtin_memcpy(&word, p, 4);
    return _mm512_set1_epi32(word);
}

// Exact dot products of one scale block: 16 rows, one token. Codes are unsigned; their offset
// 2^(Bits-1) is taken back by the start value, -offset * sum of the activation codes.
template <int Bits>
struct Dots {
    static constexpr int run = 8;  // additions between open() and close()
    static constexpr int lanes = 2;  // sums that may be kept side by side and joined
    __m512i sum;

    INGLE_INLINE void start(const int32_t* minus_code_sum) {
        sum = _mm512_maskz_slli_epi32(0xffff, _mm512_set1_epi32(*minus_code_sum), Bits - 1);
    }
    INGLE_INLINE void start_second() { sum = _mm512_setzero_si512(); }
    INGLE_INLINE void join(const Dots& second) { sum = _mm512_add_epi32(sum, second.sum); }
    INGLE_INLINE void open() {}
    INGLE_INLINE void add(Weights w, Quad q) { sum = _mm512_dpbusd_epi32(sum, w, q); }
    INGLE_INLINE void close() {}
    INGLE_INLINE Floats finish(const int32_t*) const {
        return _mm512_maskz_cvtepi32_ps(0xffff, sum);
    }
};
