// 16 floats in two AVX2 registers. Included inside a namespace of its own.

// Sums that a tile keeps in registers, and rows of a tile: 6 pairs of 8, the rest for operands.
constexpr int accumulators = 6;
constexpr int block_rows = 6;

struct Floats {
    __m256 a, b;
};

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
// The first `count` lanes, 1 to 15; the others are zero, or are not stored.
INGLE_INLINE Floats load_some(const float* p, int64_t count) {
    float all[16] = {};
    __builtin_memcpy(all, p, size_t(count) * sizeof(float));
    return load(all);
}
INGLE_INLINE void store_some(float* p, int64_t count, Floats x) {
    float all[16];
    store(all, x);
    __builtin_memcpy(p, all, size_t(count) * sizeof(float));
}
INGLE_INLINE Floats load(const f16* p) {
    return {_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))),
            _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 8)))};
}
INGLE_INLINE void store(f16* p, Floats x) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                     _mm256_cvtps_ph(x.a, _MM_FROUND_TO_NEAREST_INT));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p + 8),
                     _mm256_cvtps_ph(x.b, _MM_FROUND_TO_NEAREST_INT));
}

INGLE_INLINE Floats broadcast(f16 x) {
    const __m256 all = _mm256_cvtph_ps(_mm_set1_epi16(int16_t(x.bits)));
    return {all, all};
}
// The upper halves of 16 floats.
INGLE_INLINE __m256 widen_bf16(__m128i bits) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
}
INGLE_INLINE Floats load(const bf16* p) {
    return {widen_bf16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))),
            widen_bf16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 8)))};
}

// 16 small codes, one a lane.
using Codes = uint8_t __attribute__((vector_size(16)));
INGLE_INLINE Floats from_signed(Codes x) {
    const __m128i codes = __m128i(x);
    return {_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(codes)),
            _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_srli_si128(codes, 8)))};
}
INGLE_INLINE __m256 load_eight_signed(const uint8_t* p) {
    return _mm256_cvtepi32_ps(
        _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}
INGLE_INLINE Floats load_signed(const uint8_t* p) {
    return {load_eight_signed(p), load_eight_signed(p + 8)};
}
// table[code], codes 0 to 15
INGLE_INLINE Codes look_up(Codes table, Codes x) {
    return Codes(_mm_shuffle_epi8(__m128i(table), __m128i(x)));
}

INGLE_INLINE Floats add(Floats x, Floats y) {
    return {_mm256_add_ps(x.a, y.a), _mm256_add_ps(x.b, y.b)};
}
INGLE_INLINE Floats sub(Floats x, Floats y) {
    return {_mm256_sub_ps(x.a, y.a), _mm256_sub_ps(x.b, y.b)};
}
INGLE_INLINE Floats mul(Floats x, Floats y) {
    return {_mm256_mul_ps(x.a, y.a), _mm256_mul_ps(x.b, y.b)};
}
INGLE_INLINE Floats div(Floats x, Floats y) {
    return {_mm256_div_ps(x.a, y.a), _mm256_div_ps(x.b, y.b)};
}
INGLE_INLINE Floats fma(Floats x, Floats y, Floats z) {
    return {_mm256_fmadd_ps(x.a, y.a, z.a), _mm256_fmadd_ps(x.b, y.b, z.b)};
}
// A NaN in either gives y.
INGLE_INLINE Floats max(Floats x, Floats y) {
    return {_mm256_max_ps(x.a, y.a), _mm256_max_ps(x.b, y.b)};
}
INGLE_INLINE Floats min(Floats x, Floats y) {
    return {_mm256_min_ps(x.a, y.a), _mm256_min_ps(x.b, y.b)};
}
// a < b ? x : y, lane by lane.
INGLE_INLINE Floats select_less(Floats a, Floats b, Floats x, Floats y) {
    return {_mm256_blendv_ps(y.a, x.a, _mm256_cmp_ps(a.a, b.a, _CMP_LT_OQ)),
            _mm256_blendv_ps(y.b, x.b, _mm256_cmp_ps(a.b, b.b, _CMP_LT_OQ))};
}
// Two factors, because 2^n itself may be no float: x is below 2, so only the second product rounds.
INGLE_INLINE __m256 times_power(__m256 x, __m256 shifted) {
    const __m256i n = _mm256_sub_epi32(_mm256_castps_si256(shifted), _mm256_set1_epi32(0x4b400000));
    const __m256i half = _mm256_srai_epi32(n, 1);
    const __m256i bias = _mm256_set1_epi32(127);
    const __m256i first = _mm256_slli_epi32(_mm256_add_epi32(half, bias), 23);
    const __m256i second = _mm256_slli_epi32(_mm256_add_epi32(_mm256_sub_epi32(n, half), bias), 23);
    return _mm256_mul_ps(_mm256_mul_ps(x, _mm256_castsi256_ps(first)), _mm256_castsi256_ps(second));
}
// x * 2^n, rounded once, for whole n in [-150, 128]; `shifted` is n + 1.5 * 2^23.
INGLE_INLINE Floats times_power(Floats x, Floats, Floats shifted) {
    return {times_power(x.a, shifted.a), times_power(x.b, shifted.b)};
}
