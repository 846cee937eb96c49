// Pages of a head as tiles of f32, per type of the cache. Included before kernel_text.h.
//
// A quantized type states how the 32 codes of a block become numbers, 16 at a time, and whether
// these are shifted:  value = scale * number (+ offset).  Numbers that are not shifted are summed
// as they are, and the sums scaled (scaled_text.h).

INGLE_INLINE Codes load_codes(const uint8_t* p) {
    Codes codes;
    __builtin_memcpy(&codes, p, sizeof(codes));
    return codes;
}
INGLE_INLINE Codes all_codes(uint8_t x) {
    return Codes{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

// Of a type: `halves`, the f16 numbers at the start of a block; `bytes`, those that follow.
struct Q8 {
    static constexpr int halves = 1, bytes = 32;
    static constexpr bool shifted = false;

    // Numbers of code `d` of 16 tokens.  bytes [32][page_tokens]
    INGLE_INLINE static Floats column(const uint8_t* p, int d) {
        return load_signed(p + d * page_tokens);
    }
    // Numbers of codes 16 h to 16 h + 15 of one token.  bytes [32]
    INGLE_INLINE static Floats row(const uint8_t* p, int h) {
        return load_signed(p + 16 * h);
    }
};

// Nibbles: byte j has code j below and code j + 16 above.
INGLE_INLINE Codes nibbles(Codes packed, int upper) { return upper ? packed >> 4 : packed & 15; }

struct Q4Symmetric {
    static constexpr int halves = 1, bytes = 16;
    static constexpr bool shifted = false;

    INGLE_INLINE static Floats numbers(Codes codes) { return from_signed(codes - 8); }
    INGLE_INLINE static Floats column(const uint8_t* p, int d) {
        return numbers(nibbles(load_codes(p + d % 16 * page_tokens), d / 16));
    }
    INGLE_INLINE static Floats row(const uint8_t* p, int h) {
        return numbers(nibbles(load_codes(p), h));
    }
};

struct Q4Shifted {
    static constexpr int halves = 2, bytes = 16;
    static constexpr bool shifted = true;

    INGLE_INLINE static Floats column(const uint8_t* p, int d) {
        return from_signed(nibbles(load_codes(p + d % 16 * page_tokens), d / 16));
    }
    INGLE_INLINE static Floats row(const uint8_t* p, int h) {
        return from_signed(nibbles(load_codes(p), h));
    }
};

struct Iq4 {
    static constexpr int halves = 1, bytes = 16;
    static constexpr bool shifted = false;

    INGLE_INLINE static Floats numbers(Codes codes) {
        Codes levels;
        for (int i = 0; i < 16; ++i) levels[i] = uint8_t(int8_t(quant::iq4_levels[i]));
        return from_signed(look_up(levels, codes));
    }
    INGLE_INLINE static Floats column(const uint8_t* p, int d) {
        return numbers(nibbles(load_codes(p + d % 16 * page_tokens), d / 16));
    }
    INGLE_INLINE static Floats row(const uint8_t* p, int h) {
        return numbers(nibbles(load_codes(p), h));
    }
};

// Four bytes of fifth bits stand before the nibbles: bit d % 8 of byte d / 8.
template <int Halves>
struct Q5 {
    static constexpr int halves = Halves, bytes = 20;
    static constexpr bool shifted = Halves == 2;

    INGLE_INLINE static Floats numbers(Codes codes) {
        return from_signed(shifted ? codes : codes - 16);
    }
    INGLE_INLINE static Floats column(const uint8_t* p, int d) {
        const Codes low = nibbles(load_codes(p + (4 + d % 16) * page_tokens), d / 16);
        const Codes fifth = load_codes(p + d / 8 * page_tokens) >> (d % 8) & 1;
        return numbers(low | fifth << 4);
    }
    INGLE_INLINE static Floats row(const uint8_t* p, int h) {
        constexpr Codes bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
        const uint8_t a = p[2 * h], b = p[2 * h + 1];
        const Codes spread = {a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b};
        const Codes fifth = Codes((spread & bit) != 0) & 16;
        return numbers(nibbles(load_codes(p + 4), h) | fifth);
    }
};

// Scaled and shifted, or the number itself.
template <class Type>
INGLE_INLINE Floats finished(Floats number, Floats scale, Floats offset) {
    if constexpr (Type::shifted) return add(mul(scale, number), offset);
    else return number;
}

// tile [dim, page_tokens]; whole blocks are written.
template <class Type>
void decode_keys(const std::byte* data, int64_t dim, float* tile) {
    constexpr int block_bytes = 2 * Type::halves + Type::bytes;
    for (int64_t first = 0; first < dim; first += 32, data += block_bytes * page_tokens) {
        const f16* const halves = reinterpret_cast<const f16*>(data);
        const uint8_t* const codes =
            reinterpret_cast<const uint8_t*>(halves + Type::halves * page_tokens);
        for (int t = 0; t < page_tokens; t += lanes) {
            const Floats scale = load(halves + t);
            const Floats offset = load(halves + (Type::halves - 1) * page_tokens + t);
            float* const out = tile + first * page_tokens + t;
            INGLE_UNROLL for (int d = 0; d < 32; ++d)
                store(out + d * page_tokens,
                      finished<Type>(Type::column(codes + t, d), scale, offset));
        }
    }
}

// tile [page_tokens, stride]; whole blocks are written.
template <class Type>
void decode_values(const std::byte* data, int64_t dim, int64_t stride, float* tile) {
    const int64_t blocks = (dim + 31) / 32;
    const f16* const halves = reinterpret_cast<const f16*>(data);
    const uint8_t* codes =
        reinterpret_cast<const uint8_t*>(halves + blocks * Type::halves * page_tokens);
    for (int t = 0; t < page_tokens; ++t)
        for (int64_t b = 0; b < blocks; ++b, codes += Type::bytes) {
            const f16* const of_block = halves + b * Type::halves * page_tokens + t;
            const Floats scale = broadcast(of_block[0]);
            const Floats offset = broadcast(of_block[(Type::halves - 1) * page_tokens]);
            float* const out = tile + t * stride + 32 * b;
            INGLE_UNROLL for (int h = 0; h < 2; ++h)
                store(out + 16 * h, finished<Type>(Type::row(codes, h), scale, offset));
        }
}

// Types of single values: rows of `columns`, with rows of the tile `stride` apart.
template <class T>
void decode_plain(const std::byte* data, int64_t rows, int64_t columns, int64_t stride,
                  float* tile) {
    const T* const source = reinterpret_cast<const T*>(data);
    const int64_t whole = columns / lanes * lanes;
    for (int64_t r = 0; r < rows; ++r) {
        for (int64_t i = 0; i < whole; i += lanes)
            store(tile + r * stride + i, load(source + r * columns + i));
        if (whole == columns) continue;
        T rest[lanes] = {};
        __builtin_memcpy(rest, source + r * columns + whole, size_t(columns - whole) * sizeof(T));
        store(tile + r * stride + whole, load(rest));
    }
}
template <class T>
void decode_plain_keys(const std::byte* data, int64_t dim, float* tile) {
    decode_plain<T>(data, dim, page_tokens, page_tokens, tile);
}
template <class T>
void decode_plain_values(const std::byte* data, int64_t dim, int64_t stride, float* tile) {
    decode_plain<T>(data, page_tokens, dim, stride, tile);
}

struct Decoder {
    void (*keys)(const std::byte* data, int64_t dim, float* tile);
    void (*values)(const std::byte* data, int64_t dim, int64_t stride, float* tile);
};
template <class T>
constexpr Decoder plain_decoder = {decode_plain_keys<T>, decode_plain_values<T>};
template <class Type>
constexpr Decoder block_decoder = {decode_keys<Type>, decode_values<Type>};
