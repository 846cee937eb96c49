// 16 floats in one AVX-512 register. Included inside a namespace of its own.

// Sums that a tile keeps in registers, and rows of a tile: 16 of 32, the rest for operands.
constexpr int accumulators = 16;
constexpr int block_rows = 8;

using Floats = __m512;

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
INGLE_INLINE __mmask16 first_lanes(int64_t count) {
    return __mmask16((1u << count) - 1u);
}
// The first `count` lanes, 1 to 15; the others are zero, or are not stored.
INGLE_INLINE Floats load_some(const float* p, int64_t count) {
    return _mm512_maskz_loadu_ps(first_lanes(count), p);
}
INGLE_INLINE void store_some(float* p, int64_t count, Floats x) {
    _mm512_mask_storeu_ps(p, first_lanes(count), x);
}
INGLE_INLINE Floats load(const f16* p) {
    return _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
INGLE_INLINE void store(f16* p, Floats x) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                        _mm512_maskz_cvtps_ph(0xffff, x, _MM_FROUND_TO_NEAREST_INT));
}

INGLE_INLINE Floats broadcast(f16 x) {
    return _mm512_maskz_cvtph_ps(0xffff, _mm256_set1_epi16(int16_t(x.bits)));
}
// The upper halves of 16 floats.
INGLE_INLINE Floats load(const bf16* p) {
    const __m512i bits =
        _mm512_maskz_cvtepu16_epi32(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
    return _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xffff, bits, 16));
}

// 16 small codes, one a lane.
using Codes = uint8_t __attribute__((vector_size(16)));
INGLE_INLINE Floats from_signed(Codes x) {
    return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepi8_epi32(0xffff, __m128i(x)));
}
INGLE_INLINE Floats load_signed(const uint8_t* p) {
    return from_signed(Codes(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
// table[code], codes 0 to 15
INGLE_INLINE Codes look_up(Codes table, Codes x) {
    return Codes(_mm_shuffle_epi8(__m128i(table), __m128i(x)));
}

INGLE_INLINE Floats add(Floats x, Floats y) {
    return _mm512_add_ps(x, y);
}
INGLE_INLINE Floats sub(Floats x, Floats y) {
    return _mm512_sub_ps(x, y);
}
INGLE_INLINE Floats mul(Floats x, Floats y) {
    return _mm512_mul_ps(x, y);
}
INGLE_INLINE Floats div(Floats x, Floats y) {
    return _mm512_div_ps(x, y);
}
INGLE_INLINE Floats fma(Floats x, Floats y, Floats z) {
    return _mm512_fmadd_ps(x, y, z);
}
// A NaN in either gives y.
INGLE_INLINE Floats max(Floats x, Floats y) {
    return _mm512_maskz_max_ps(0xffff, x, y);
}
INGLE_INLINE Floats min(Floats x, Floats y) {
    return _mm512_maskz_min_ps(0xffff, x, y);
}
// a < b ? x : y, lane by lane.
INGLE_INLINE Floats select_less(Floats a, Floats b, Floats x, Floats y) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), y, x);
}
// x * 2^n, rounded once, for whole n in [-150, 128]; `shifted` is n + 1.5 * 2^23.
INGLE_INLINE Floats times_power(Floats x, Floats n, Floats shifted) {
    (void)shifted;
    return _mm512_maskz_scalef_ps(0xffff, x, n);
}
