// Packing and decoding of one group of rows, for any unpacker. Kernel text: included once per
// instruction set, inside its namespace.

// What look_up() reads.
struct LookUpTable {
    uint8_t bytes[16];
};

template <class Unpacker>
INGLE_INLINE int64_t cell_count(const PackedMatrix& matrix) {
    return (matrix.columns + Unpacker::cell_columns - 1) / Unpacker::cell_columns;
}

// Units of a cell in ascending order. Unpackers of formats whose codebook rows are 8 columns wide
// give two units at a time.
template <class Unpacker>
class Units {
  public:
    INGLE_INLINE Codes read(const std::byte* cell, int u) {
        if constexpr (requires { Unpacker::pair(cell, u); }) {
            if (u % 2 != 0) return second_;
            const CodesPair units = Unpacker::pair(cell, u / 2);
            second_ = units.second;
            return units.first;
        } else {
            return Unpacker::unit(cell, u);
        }
    }

  private:
    Codes second_ = {};
};

// Codes are multiplied as code - 2^(bits-1), around zero, so that the rounding of the activations
// hardly meets the part that all codes share; that part joins the minimum, which meets the exact
// sum of the activations.
//   scale * code + minimum = scale * (code - centre) + (minimum + centre * scale)
template <class Unpacker>
INGLE_INLINE Floats centred_minimum(const typename Unpacker::Head& head, const std::byte* cell,
                                    int block, Floats scale) {
    return fma(broadcast(float(1 << (Unpacker::bits - 1))), scale,
               Unpacker::minimum(head, cell, block));
}

// Words of 4 bytes of one row, to where the 16 rows lie side by side: word i to to + 64 * i.
INGLE_INLINE void scatter_words(const void* from, int words, int row, std::byte* to) {
    const std::byte* const source = static_cast<const std::byte*>(from);
    for (int i = 0; i < words; ++i) __builtin_memcpy(to + 64 * i + 4 * row, source + 4 * i, 4);
}
// An f16 of one row into a row of 16.
INGLE_INLINE void put_half(f16 half, int row, std::byte* to) {
    __builtin_memcpy(to + 2 * row, &half, 2);
}

// 32 bits of one row, bit k for column k, to 4 bytes: bit u of byte i for column 4u + i.
inline uint32_t spread_fifth_bits(const uint8_t* bits) {
    uint32_t word;
    __builtin_memcpy(&word, bits, 4);
    uint32_t result = 0;
    for (int i = 0; i < 4; ++i) {
        uint32_t every_fourth = (word >> i) & 0x11111111u;
        every_fourth = (every_fourth | every_fourth >> 3) & 0x03030303u;
        every_fourth = (every_fourth | every_fourth >> 6) & 0x000f000fu;
        every_fourth = (every_fourth | every_fourth >> 12) & 0xffu;
        result |= every_fourth << (8 * i);
    }
    return result;
}

// While rows are packed side by side no processor foresees what is read next, so it is fetched ahead: `bytes` at `at` of
// a row that is `row_bytes` long, or behind its end those of the row 16 further on, with which the next group begins.
INGLE_INLINE void fetch_ahead(const std::byte* row, int64_t row_bytes, int64_t at, int64_t bytes) {
    const std::byte* const from = row + at + (at < row_bytes ? 0 : (group_rows - 1) * row_bytes);
    for (int64_t i = 0; i < bytes; i += 64) __builtin_prefetch(from + i);
}

template <class Unpacker>
void pack_int8(const PackedMatrix& shape, const std::byte* file_rows, int present, std::byte* out) {
    using Format = typename Unpacker::Format;
    using Block = typename Format::Block;
    constexpr int64_t in_cell = Unpacker::cell_columns / Format::block_size;
    const int64_t blocks = shape.columns / Format::block_size;
    constexpr int64_t cell_bytes = in_cell * int64_t(sizeof(Block));  // of one row, in the file
    const int64_t row_bytes = blocks * int64_t(sizeof(Block));
    // Cell by cell, so that the scattered stores stay in the first-level cache.
    for (int64_t first = 0; first < blocks; first += in_cell, out += Unpacker::cell_bytes)
        for (int row = 0; row < present; ++row) {
            const std::byte* const file_row = file_rows + row * row_bytes;
            const int64_t at = first * int64_t(sizeof(Block));
            fetch_ahead(file_row, row_bytes, at + 2 * cell_bytes, cell_bytes);
            for (int64_t b = 0; b < in_cell && first + b < blocks; ++b) {
                Block block;
                __builtin_memcpy(&block, file_row + at + b * int64_t(sizeof(Block)), sizeof(Block));
                Unpacker::pack(block, row, int(b), out);
            }
        }
}

template <class Unpacker>
void pack_f32(const PackedMatrix& shape, const std::byte* file_rows, int present, std::byte* out) {
    constexpr int64_t bytes = int64_t(Unpacker::cell_bytes) / group_rows;  // of a value
    constexpr int64_t stretch = 64;
    for (int64_t first = 0; first < shape.columns; first += stretch) {
        const int64_t last = first + stretch < shape.columns ? first + stretch : shape.columns;
        for (int row = 0; row < present; ++row) {
            const std::byte* const from = file_rows + row * shape.columns * bytes;
            fetch_ahead(from, shape.columns * bytes, (first + 2 * stretch) * bytes, stretch * bytes);
            for (int64_t k = first; k < last; ++k)
                __builtin_memcpy(out + (k * group_rows + row) * bytes, from + k * bytes, bytes);
        }
    }
}

// Every product here is exact, so only the addition of the minimum rounds, as in quant's decoding.
template <class Unpacker>
void decode_int8(const PackedMatrix& matrix, int64_t row, float* out) {
    constexpr int columns = Unpacker::scale_columns;
    const int lane = int(row % group_rows);
    const std::byte* cell = matrix.data + size_t(row / group_rows) * matrix.group_bytes;
    for (int64_t k = 0; k < matrix.columns; cell += Unpacker::cell_bytes) {
        const typename Unpacker::Head head = Unpacker::head(cell);
        Units<Unpacker> units;
        for (int s = 0; s < Unpacker::cell_columns / columns && k < matrix.columns; ++s) {
            float scales[group_rows], minima[group_rows];
            store(scales, Unpacker::scale(head, cell, s));
            if constexpr (Unpacker::has_minimum) store(minima, Unpacker::minimum(head, cell, s));
            for (int unit = s * columns / 4; unit < (s + 1) * columns / 4; ++unit) {
                std::byte codes[64];
                store_codes(codes, units.read(cell, unit));
                for (int i = 0; i < 4; ++i, ++k) {
                    const int code = int(codes[4 * lane + i]);
                    if constexpr (Unpacker::has_minimum)
                        out[k] = scales[lane] * float(code) + minima[lane];
                    else
                        out[k] = scales[lane] * float(code - (1 << (Unpacker::bits - 1)));
                }
            }
        }
    }
}

template <class Unpacker>
void decode_f32(const PackedMatrix& matrix, int64_t row, float* out) {
    const std::byte* cell = matrix.data + size_t(row / group_rows) * matrix.group_bytes;
    for (int64_t k = 0; k < matrix.columns; ++k, cell += Unpacker::cell_bytes) {
        float values[group_rows];
        store(values, Unpacker::values(cell));
        out[k] = values[row % group_rows];
    }
}
