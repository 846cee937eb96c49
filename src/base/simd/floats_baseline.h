// 16 floats in four registers of 4, in the compilers' portable vectors: any processor. Included
// inside a namespace of its own.

// Sums that a tile keeps in registers, and rows of a tile: 2 quadruples of 4, the rest for
// operands.
constexpr int accumulators = 2;
constexpr int block_rows = 2;

using F32x4 = float __attribute__((vector_size(16)));
using S32x4 = int32_t __attribute__((vector_size(16)));
using U16x4 = uint16_t __attribute__((vector_size(8)));

struct Floats {
    F32x4 part[4];
};

// f(i) for each of the four parts.
template <class F>
INGLE_INLINE Floats each(F&& f) {
    return {{f(0), f(1), f(2), f(3)}};
}

INGLE_INLINE Floats broadcast(float x) {
    const F32x4 four = {x, x, x, x};
    return {{four, four, four, four}};
}
INGLE_INLINE Floats zero() {
    return broadcast(0);
}
INGLE_INLINE Floats load(const float* p) {
    Floats x;
    __builtin_memcpy(&x, p, sizeof(x));
    return x;
}
INGLE_INLINE void store(float* p, Floats x) {
    __builtin_memcpy(p, &x, sizeof(x));
}
// The first `count` lanes, 1 to 15; the others are zero, or are not stored.
INGLE_INLINE Floats load_some(const float* p, int64_t count) {
    float all[16] = {};
    __builtin_memcpy(all, p, size_t(count) * sizeof(float));
    return load(all);
}
INGLE_INLINE void store_some(float* p, int64_t count, Floats x) {
    __builtin_memcpy(p, &x, size_t(count) * sizeof(float));
}
// The bits of a half, moved to a float's place, are its value times 2^-112; what has all exponent
// bits set (infinity, NaN) gets the float's.
INGLE_INLINE F32x4 widen(U16x4 halves) {
    const S32x4 bits = __builtin_convertvector(halves, S32x4);
    const S32x4 magnitude = (bits & 0x7fff) << 13;
    const S32x4 value = S32x4(F32x4(magnitude) * 0x1p112f);
    const S32x4 not_finite = (magnitude >= 0x7c00 << 13) & 0x7f800000;
    return F32x4(value | not_finite | (bits & 0x8000) << 16);
}
INGLE_INLINE Floats load(const f16* p) {
    U16x4 halves[4];
    __builtin_memcpy(halves, p, sizeof(halves));
    return each([&](int i) { return widen(halves[i]); });
}
INGLE_INLINE void store(f16* p, Floats x) {
    float all[16];
    store(all, x);
    for (int i = 0; i < 16; ++i) p[i] = to_f16(all[i]);
}

INGLE_INLINE Floats broadcast(f16 x) {
    return broadcast(to_f32(x));
}
// The upper halves of 16 floats.
INGLE_INLINE Floats load(const bf16* p) {
    U16x4 halves[4];
    __builtin_memcpy(halves, p, sizeof(halves));
    return each([&](int i) { return F32x4(__builtin_convertvector(halves[i], S32x4) << 16); });
}

// 16 small codes, one a lane.
using Codes = uint8_t __attribute__((vector_size(16)));
INGLE_INLINE Floats from_signed(Codes x) {
    using S8x4 = int8_t __attribute__((vector_size(4)));
    S8x4 codes[4];
    __builtin_memcpy(codes, &x, sizeof(codes));
    return each([&](int i) { return __builtin_convertvector(codes[i], F32x4); });
}
INGLE_INLINE Floats load_signed(const uint8_t* p) {
    Codes codes;
    __builtin_memcpy(&codes, p, sizeof(codes));
    return from_signed(codes);
}
// table[code], codes 0 to 15
INGLE_INLINE Codes look_up(Codes table, Codes x) {
    Codes found;
    for (int i = 0; i < 16; ++i) found[i] = table[x[i]];
    return found;
}

INGLE_INLINE Floats add(Floats x, Floats y) {
    return each([&](int i) { return x.part[i] + y.part[i]; });
}
INGLE_INLINE Floats sub(Floats x, Floats y) {
    return each([&](int i) { return x.part[i] - y.part[i]; });
}
INGLE_INLINE Floats mul(Floats x, Floats y) {
    return each([&](int i) { return x.part[i] * y.part[i]; });
}
INGLE_INLINE Floats div(Floats x, Floats y) {
    return each([&](int i) { return x.part[i] / y.part[i]; });
}
// Not fused: the product is rounded.
INGLE_INLINE Floats fma(Floats x, Floats y, Floats z) {
    return add(mul(x, y), z);
}
// A NaN in either gives y.
INGLE_INLINE Floats max(Floats x, Floats y) {
    return each([&](int i) { return x.part[i] > y.part[i] ? x.part[i] : y.part[i]; });
}
INGLE_INLINE Floats min(Floats x, Floats y) {
    return each([&](int i) { return x.part[i] < y.part[i] ? x.part[i] : y.part[i]; });
}
// a < b ? x : y, lane by lane.
INGLE_INLINE Floats select_less(Floats a, Floats b, Floats x, Floats y) {
    return each([&](int i) { return a.part[i] < b.part[i] ? x.part[i] : y.part[i]; });
}
// Two factors, because 2^n itself may be no float: x is below 2, so only the second product rounds.
INGLE_INLINE F32x4 times_power(F32x4 x, F32x4 shifted) {
    const S32x4 n = S32x4(shifted) - 0x4b400000;
    const S32x4 half = n >> 1;
    return x * F32x4((half + 127) << 23) * F32x4((n - half + 127) << 23);
}
// x * 2^n, rounded once, for whole n in [-150, 128]; `shifted` is n + 1.5 * 2^23.
INGLE_INLINE Floats times_power(Floats x, Floats, Floats shifted) {
    return each([&](int i) { return times_power(x.part[i], shifted.part[i]); });
}
