// The end of every product: planes of a token are added, multiplied by the factor of the weights,
// then bias and residual are added. Kernel text: included once per instruction set, inside its
// namespace.

// Columns of one tile of activations as the products read it.
struct TileView {
    const int8_t* codes;   // [unit][w][4]
    const int32_t* heads;  // [block][head_words][w]
    const float* values;   // [k][w], f32 activations only
    int width;
};

INGLE_INLINE TileView view_tile(const Activations& a, int64_t tile) {
    const int64_t left = column_count(a) - tile * tile_columns;
    const int width = int(left < tile_columns ? left : tile_columns);
    const std::byte* const data = a.data + tile * tile_stride(a, tile_columns);
    return {reinterpret_cast<const int8_t*>(data),
            reinterpret_cast<const int32_t*>(data + padded_columns(a) * width),
            reinterpret_cast<const float*>(data), width};
}

// Writes tokens [first, last) of one group of rows. sums(c) = sums + (c - first column) * stride
// are the 16 sums of column c; `minima` the same for the second chain, or null.
inline void finish(const MatmulJob& job, int64_t group, int64_t first_token, int64_t last_token,
                   const float* sums, const float* minima, int64_t stride) {
    const int planes = job.activations->planes;
    const int64_t row = group * group_rows;
    const int64_t rows_left = job.weights->rows - row;
    const int64_t rows = rows_left < group_rows ? rows_left : group_rows;
    float bias[group_rows] = {};
    if (job.bias != nullptr)
        for (int64_t r = 0; r < rows; ++r) bias[r] = job.bias[row + r];
    for (int64_t token = first_token; token < last_token; ++token) {
        const int64_t column = (token - first_token) * planes;
        float total[group_rows];
        Floats value = load(sums + column * stride);
        if (minima != nullptr) value = add(value, load(minima + column * stride));
        for (int plane = 1; plane < planes; ++plane)
            value = add(value, load(sums + (column + plane) * stride));
        if (job.weights->factor != 1) value = mul(value, broadcast(job.weights->factor));
        if (job.bias != nullptr) value = add(value, load(bias));
        store(total, value);
        float* const out = job.out + token * job.out_stride + row;
        if (job.residual != nullptr) {
            const float* const residual = job.residual + token * job.residual_stride + row;
            for (int64_t r = 0; r < rows; ++r) out[r] = total[r] + residual[r];
        } else {
            for (int64_t r = 0; r < rows; ++r) out[r] = total[r];
        }
    }
}
