// The elementary functions over arrays of a multiple of 16, for the test of float_math.h.

template <Floats (*function)(Floats)>
void each_of(const float* x, int64_t n, float* out) {
    for (int64_t i = 0; i < n; i += lanes) store(out + i, function(load(x + i)));
}

void to_floats(const f16* x, int64_t n, float* out) {
    for (int64_t i = 0; i < n; i += lanes) store(out + i, load(x + i));
}
void to_halves(const float* x, int64_t n, f16* out) {
    for (int64_t i = 0; i < n; i += lanes) store(out + i, load(x + i));
}
void copy_some(const float* x, int64_t count, float* all, float* out) {
    const Floats some = load_some(x, count);
    store(all, some);
    store_some(out, count, some);
}
float sum_of(const float* x) { return sum(load(x)); }
float highest_of(const float* x) { return highest(load(x)); }

constexpr FloatMathTable table = {each_of<exp>, each_of<tanh>, each_of<silu>, each_of<gelu_tanh>,
                                  to_floats,    to_halves,     copy_some,     sum_of,
                                  highest_of};
