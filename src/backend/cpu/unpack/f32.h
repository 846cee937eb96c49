// F32: a value is four bytes.
//   cell (1 column): 16 rows f32
struct F32 {
    using Format = quant::F32;
    static constexpr ActivationKind kind = ActivationKind::f32;
    static constexpr int cell_columns = 1;
    static constexpr size_t cell_bytes = 64;
    static constexpr bool has_minimum = false;

    INGLE_INLINE static Floats values(const std::byte* cell) {
        return load(reinterpret_cast<const float*>(cell));
    }
};
