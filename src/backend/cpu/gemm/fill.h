// Fills one tile of activations. Kernel text: included once per instruction set, inside its
// namespace.
//
// A block of 32 is quantized by  code = round(x * 127 / peak),  scale = sum(x * code) /
// sum(code^2): the scale that leaves the least squared error for those codes. Rounding is to
// nearest, ties to even.

struct QuantizedBlock {
    float scale;
    float sums[2];  // of the halves of x
    int32_t codes[32];
};

// The sum of 16 numbers, in a fixed order: halves onto each other until one is left.
INGLE_INLINE float sum_of_half(const float* x) {
    float eight[8], four[4];
    for (int i = 0; i < 8; ++i) eight[i] = x[i] + x[i + 8];
    for (int i = 0; i < 4; ++i) four[i] = eight[i] + eight[i + 4];
    return (four[0] + four[2]) + (four[1] + four[3]);
}
INGLE_INLINE float sum_of(const float* x) {
    return sum_of_half(x) + sum_of_half(x + 16);
}

INGLE_INLINE float float_of(int32_t bits) {
    float value;
    __builtin_memcpy(&value, &bits, 4);
    return value;
}
INGLE_INLINE int32_t bits_of(float value) {
    int32_t bits;
    __builtin_memcpy(&bits, &value, 4);
    return bits;
}

inline void quantize_block(const float* x, QuantizedBlock& out) {
    // Magnitudes compare like integers; infinity and NaN are above all finite numbers.
    int32_t peak_bits = 0;
    for (int i = 0; i < 32; ++i) {
        const int32_t magnitude = bits_of(x[i]) & 0x7fffffff;
        peak_bits = magnitude > peak_bits ? magnitude : peak_bits;
    }
    out.sums[0] = sum_of_half(x);
    out.sums[1] = sum_of_half(x + 16);
    const float peak = float_of(peak_bits);
    const bool finite = peak_bits < 0x7f800000;
    if (!finite || peak < 0x1p-100f) {  // below, 127 / peak would overflow
        out.scale = finite ? 0.0f : float_of(0x7fc00000);
        for (int i = 0; i < 32; ++i) out.codes[i] = 0;
        return;
    }
    const float inverse = 127.0f / peak;
    // Adding 1.5 * 2^23 leaves the rounded integer in the low bits.
    float products[32];
    int32_t square_sum = 0;
    for (int i = 0; i < 32; ++i) {
        const float scaled = x[i] * inverse;
        const int32_t code = bits_of(scaled + 12582912.0f) - 0x4b400000;
        out.codes[i] = code;
        products[i] = scaled * float(code);
        square_sum += code * code;
    }
    out.scale = peak / 127.0f * (sum_of(products) / float(square_sum));
}

// Where column `column` of `width` keeps its part of the block.
INGLE_INLINE void store_block(const QuantizedBlock& block, int64_t index, int column, int width,
                              int8_t* tile_codes, int32_t* tile_heads) {
    int8_t codes[32];
    int32_t halves[2] = {0, 0};
    for (int i = 0; i < 32; ++i) codes[i] = int8_t(block.codes[i]);
    for (int i = 0; i < 16; ++i) {
        halves[0] -= block.codes[i];
        halves[1] -= block.codes[i + 16];
    }
    int8_t* to = tile_codes + index * 32 * width + column * 4;
    for (int unit = 0; unit < 8; ++unit, to += 4 * width) __builtin_memcpy(to, codes + 4 * unit, 4);
    int32_t* const head = tile_heads + index * head_words * width + column;
    head[0] = bits_of(block.scale);
    int32_t* const sums = head + head_sums * width;
    sums[0] = bits_of(block.sums[0] + block.sums[1]);
    sums[width] = bits_of(block.sums[0]);
    sums[2 * width] = bits_of(block.sums[1]);
    int32_t* const minus = head + head_minus * width;
    minus[0] = halves[0] + halves[1];
    minus[width] = halves[0];
    minus[2 * width] = halves[1];
}

// One token: `planes` columns from `column` on.
inline void fill_int8(const Activations& a, const float* x, int column, int width,
                      std::byte* tile) {
    int8_t* const codes = reinterpret_cast<int8_t*>(tile);
    int32_t* const heads = reinterpret_cast<int32_t*>(tile + padded_columns(a) * width);
    const int64_t blocks = padded_columns(a) / scale_block;
    for (int64_t index = 0; index < blocks; ++index) {
        const int64_t left = a.columns - index * scale_block;
        float padded[32] = {};
        const float* from = x + index * scale_block;
        if (left < scale_block) {
            for (int64_t i = 0; i < left; ++i) padded[i] = from[i];
            from = padded;
        }
        QuantizedBlock block;
        quantize_block(from, block);
        store_block(block, index, column, width, codes, heads);
        if (a.planes < 2) continue;
        float residual[32];
        for (int i = 0; i < 32; ++i) residual[i] = from[i] - block.scale * float(block.codes[i]);
        QuantizedBlock rest;
        quantize_block(residual, rest);
        // The sums of the activations are complete in the first plane.
        rest.sums[0] = rest.sums[1] = 0;
        store_block(rest, index, column + 1, width, codes, heads);
    }
}

void fill(const Activations& a, int64_t tile, const float* x, int64_t stride) {
    const int64_t first = tile * tile_columns;
    const int64_t columns = column_count(a) - first;
    const int width = int(columns < tile_columns ? columns : tile_columns);
    std::byte* const data = a.data + tile * tile_stride(a, tile_columns);
    for (int column = 0; column < width; ++column) {
        const float* const row = x + (first + column) / a.planes * stride;
        if (a.kind == ActivationKind::int8) {
            fill_int8(a, row, column, width, data);
            column += a.planes - 1;
            continue;
        }
        float* const values = reinterpret_cast<float*>(data);
        for (int64_t k = 0; k < a.columns; ++k) values[k * width + column] = row[k];
    }
}

static_assert(tile_columns % 2 == 0, "both planes of a token lie in one tile");
