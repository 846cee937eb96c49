// F16: a value is an IEEE half.
//   cell (1 column): 16 rows f16
struct F16 {
    using Format = quant::F16;
    static constexpr ActivationKind kind = ActivationKind::f32;
    static constexpr int cell_columns = 1;
    static constexpr size_t cell_bytes = 32;
    static constexpr bool has_minimum = false;

    INGLE_INLINE static Floats values(const std::byte* cell) { return load_f16(cell); }
};
