// 16 rows in four registers of 4, in the compilers' portable vectors: any processor. Included
// inside a namespace of its own. Codes and activations are multiplied as f32: every sum of a block
// is an integer below 2^24, so this is exact.

constexpr Isa isa = Isa::baseline;
constexpr int tile_columns = 2;
constexpr int panel_groups = 1;
constexpr int block_step = 1, unit_step = 1;  // of a cell's blocks, of a block's units, unrolled
constexpr int panel_unit_bytes = 256;         // of one group: 4 columns of 16 rows as f32

using F32x4 = float __attribute__((vector_size(16)));
using S32x4 = int32_t __attribute__((vector_size(16)));
using U32x4 = uint32_t __attribute__((vector_size(16)));
using U8x16 = uint8_t __attribute__((vector_size(16)));

struct Floats {  // [16 rows]
    F32x4 a, b, c, d;
};
struct Codes {  // [16 rows][4 columns] u8
    U8x16 a, b, c, d;
};
struct CodesPair {
    Codes first, second;
};
struct Weights {  // [4 columns][16 rows]
    Floats k0, k1, k2, k3;
};
struct Quad {  // 4 columns of one token
    F32x4 k0, k1, k2, k3;
};

INGLE_INLINE F32x4 fill(float x) {
    return F32x4{x, x, x, x};
}
INGLE_INLINE Floats zero() {
    return {fill(0), fill(0), fill(0), fill(0)};
}
INGLE_INLINE Floats broadcast(float x) {
    return {fill(x), fill(x), fill(x), fill(x)};
}
INGLE_INLINE Floats load(const float* p) {
    Floats x;
    __builtin_memcpy(&x, p, sizeof(x));
    return x;
}
INGLE_INLINE void store(float* p, Floats x) {
    __builtin_memcpy(p, &x, sizeof(x));
}
INGLE_INLINE Floats add(Floats x, Floats y) {
    return {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d};
}
INGLE_INLINE Floats mul(Floats x, Floats y) {
    return {x.a * y.a, x.b * y.b, x.c * y.c, x.d * y.d};
}
// Not fused: the product is rounded.
INGLE_INLINE Floats fma(Floats x, Floats y, Floats z) {
    return add(mul(x, y), z);
}

template <class Source>
INGLE_INLINE Floats load_each(const std::byte* p) {
    float x[16];
    for (int row = 0; row < 16; ++row) {
        Source source;
        __builtin_memcpy(&source, p + row * int(sizeof(Source)), sizeof(Source));
        x[row] = to_f32(source);
    }
    return load(x);
}
INGLE_INLINE Floats load_f16(const std::byte* p) {
    return load_each<f16>(p);
}
INGLE_INLINE Floats load_bf16(const std::byte* p) {
    return load_each<bf16>(p);
}
INGLE_INLINE Floats load_u8(const std::byte* p) {
    float x[16];
    for (int row = 0; row < 16; ++row) x[row] = float(uint8_t(p[row]));
    return load(x);
}
INGLE_INLINE Floats load_s8(const std::byte* p) {
    float x[16];
    for (int row = 0; row < 16; ++row) x[row] = float(int8_t(p[row]));
    return load(x);
}

INGLE_INLINE Codes load_codes(const std::byte* p) {
    Codes x;
    __builtin_memcpy(&x, p, sizeof(x));
    return x;
}
INGLE_INLINE void store_codes(std::byte* p, Codes x) {
    __builtin_memcpy(p, &x, sizeof(x));
}
// Each byte: (x >> shift) & mask.
INGLE_INLINE Codes field(Codes x, int shift, int mask) {
    const uint8_t m = uint8_t(mask);
    return {(x.a >> shift) & m, (x.b >> shift) & m, (x.c >> shift) & m, (x.d >> shift) & m};
}
// Each byte: low | ((high >> from) & mask) << to.
INGLE_INLINE Codes merge(Codes low, Codes high, int from, int mask, int to) {
    const Codes bits = field(high, from, mask);
    return {low.a | (bits.a << to), low.b | (bits.b << to), low.c | (bits.c << to),
            low.d | (bits.d << to)};
}

// Each byte, modulo 256.
INGLE_INLINE Codes each(int byte) {
    const U8x16 x = U8x16{} + uint8_t(byte);
    return {x, x, x, x};
}
INGLE_INLINE Codes add_bytes(Codes x, Codes y) {
    return {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d};
}
// f(byte, its number) for each of the 64.
template <class F>
INGLE_INLINE Codes for_each_byte(Codes x, F f) {
    uint8_t bytes[64];
    __builtin_memcpy(bytes, &x, 64);
    for (int i = 0; i < 64; ++i) bytes[i] = uint8_t(f(bytes[i], i));
    __builtin_memcpy(&x, bytes, 64);
    return x;
}
// Each byte: 1 if it is at least `bound`, else 0.
INGLE_INLINE Codes at_least(Codes x, int bound) {
    return for_each_byte(x, [=](int byte, int) { return byte >= bound ? 1 : 0; });
}
// Each byte, 0 to 15: its entry in a table of 16.
INGLE_INLINE Codes look_up(const uint8_t* table, Codes x) {
    return for_each_byte(x, [=](int byte, int) { return table[byte]; });
}
// Each byte: centre - x where its bit of the 64 is set, else centre + x.
INGLE_INLINE Codes with_signs(Codes x, const std::byte* bits, int centre) {
    uint64_t minus;
    __builtin_memcpy(&minus, bits, 8);
    return for_each_byte(x, [=](int byte, int i) {
        return (minus >> i & 1) != 0 ? centre - byte : centre + byte;
    });
}

// Codes as one 32-bit word a row: f(word, its row) for each.
template <class F>
INGLE_INLINE Codes for_each_word(Codes x, F f) {
    uint32_t words[16];
    __builtin_memcpy(words, &x, 64);
    for (int row = 0; row < 16; ++row) words[row] = f(words[row], row);
    __builtin_memcpy(&x, words, 64);
    return x;
}
INGLE_INLINE Codes load_words_u8(const std::byte* p) {
    return for_each_word(Codes{}, [=](uint32_t, int row) { return uint32_t(uint8_t(p[row])); });
}
INGLE_INLINE Codes load_words_u16(const std::byte* p) {
    uint16_t halves[16];
    __builtin_memcpy(halves, p, 32);
    return for_each_word(Codes{}, [&](uint32_t, int row) { return uint32_t(halves[row]); });
}
// (x >> shift) & mask
INGLE_INLINE Codes word_field(Codes x, int shift, int mask) {
    return for_each_word(x, [=](uint32_t word, int) { return word >> shift & uint32_t(mask); });
}
// low | high << to
INGLE_INLINE Codes word_or(Codes low, Codes high, int to) {
    uint32_t words[16];
    __builtin_memcpy(words, &high, 64);
    return for_each_word(low, [&](uint32_t word, int row) { return word | words[row] << to; });
}
INGLE_INLINE Codes word_add(Codes x, int number) {
    return for_each_word(x, [=](uint32_t word, int) { return word + uint32_t(number); });
}
INGLE_INLINE Floats to_floats(Codes words) {
    int32_t numbers[16];
    __builtin_memcpy(numbers, &words, 64);
    float floats[16];
    for (int row = 0; row < 16; ++row) floats[row] = float(numbers[row]);
    return load(floats);
}
// Each byte times the word of its row; no product is above 255.
INGLE_INLINE Codes multiply_rows(Codes x, Codes words) {
    uint32_t factors[16];
    __builtin_memcpy(factors, &words, 64);
    return for_each_byte(x, [&](int byte, int i) { return byte * int(factors[i / 4]); });
}
// Floats with these bits.
INGLE_INLINE Floats as_floats(Codes words) {
    Floats floats;
    __builtin_memcpy(&floats, &words, 64);
    return floats;
}
// Words of a table, and pairs of words, for 16 rows: numbers [16].
template <class Number>
INGLE_INLINE Codes gather(const uint32_t* table, const Number* numbers) {
    return for_each_word(Codes{}, [=](uint32_t, int row) { return table[numbers[row]]; });
}
INGLE_INLINE Codes gather(const uint32_t* table, Codes numbers) {
    return for_each_word(numbers, [=](uint32_t number, int) { return table[number]; });
}
template <class Number>
INGLE_INLINE CodesPair gather_pairs(const uint32_t* pairs, const Number* numbers) {
    const auto half = [=](size_t offset) {
        return for_each_word(Codes{}, [=](uint32_t, int row) {
            return pairs[2 * size_t(numbers[row]) + offset];
        });
    };
    return {half(0), half(1)};
}

INGLE_INLINE F32x4 column(U8x16 x, int k) {
    U32x4 words;
    __builtin_memcpy(&words, &x, sizeof(words));
    return __builtin_convertvector(S32x4((words >> (8 * k)) & 255u), F32x4);
}
INGLE_INLINE Floats column(Codes x, int k) {
    return {column(x.a, k), column(x.b, k), column(x.c, k), column(x.d, k)};
}
template <int Bits>
INGLE_INLINE Weights prepare(Codes x) {
    return {column(x, 0), column(x, 1), column(x, 2), column(x, 3)};
}
INGLE_INLINE void store_weights(std::byte* p, Weights x) {
    __builtin_memcpy(p, &x, sizeof(x));
}
INGLE_INLINE Weights load_weights(const std::byte* p) {
    Weights x;
    __builtin_memcpy(&x, p, sizeof(x));
    return x;
}

INGLE_INLINE Quad load_quad(const int8_t* p) {
    return {fill(float(p[0])), fill(float(p[1])), fill(float(p[2])), fill(float(p[3]))};
}

// Exact dot products of one scale block: 16 rows, one token. The offset 2^(Bits-1) of the codes is
// taken back by the start value, -offset * sum of the activation codes.
template <int Bits>
struct Dots {
    static constexpr int run = 8;  // additions between open() and close()
    static constexpr int lanes = 1;
    Floats sum;

    INGLE_INLINE void start(const int32_t* minus_code_sum) {
        sum = broadcast(float(*minus_code_sum * (1 << (Bits - 1))));
    }
    INGLE_INLINE void open() {}
    INGLE_INLINE static F32x4 step(F32x4 s, F32x4 w0, F32x4 w1, F32x4 w2, F32x4 w3, Quad q) {
        return s + w0 * q.k0 + w1 * q.k1 + w2 * q.k2 + w3 * q.k3;
    }
    INGLE_INLINE void add(const Weights& w, Quad q) {
        sum.a = step(sum.a, w.k0.a, w.k1.a, w.k2.a, w.k3.a, q);
        sum.b = step(sum.b, w.k0.b, w.k1.b, w.k2.b, w.k3.b, q);
        sum.c = step(sum.c, w.k0.c, w.k1.c, w.k2.c, w.k3.c, q);
        sum.d = step(sum.d, w.k0.d, w.k1.d, w.k2.d, w.k3.d, q);
    }
    INGLE_INLINE void close() {}
    INGLE_INLINE Floats finish(const int32_t*) const { return sum; }
};
