// BF16: a value is the upper half of an f32.
//   cell (1 column): 16 rows bf16
struct BF16 {
    using Format = quant::BF16;
    static constexpr ActivationKind kind = ActivationKind::f32;
    static constexpr int cell_columns = 1;
    static constexpr size_t cell_bytes = 32;
    static constexpr bool has_minimum = false;

    INGLE_INLINE static Floats values(const std::byte* cell) { return load_bf16(cell); }
};
