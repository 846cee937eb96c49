// Element-wise functions. An element's result does not depend on where in a row it stands: the
// rest of a row, below one vector, goes through the same operations.

template <Floats (*function)(Floats, Floats)>
void binary(const float* a, const float* b, int64_t n, float* out) {
    const int64_t whole = n / lanes * lanes;
    for (int64_t i = 0; i < whole; i += lanes) store(out + i, function(load(a + i), load(b + i)));
    if (whole < n)
        store_some(out + whole, n - whole,
                   function(load_some(a + whole, n - whole), load_some(b + whole, n - whole)));
}

template <Floats (*function)(Floats, Floats)>
void unary(const float* x, float parameter, int64_t n, float* out) {
    const Floats all = broadcast(parameter);
    const int64_t whole = n / lanes * lanes;
    for (int64_t i = 0; i < whole; i += lanes) store(out + i, function(load(x + i), all));
    if (whole < n)
        store_some(out + whole, n - whole, function(load_some(x + whole, n - whole), all));
}

INGLE_INLINE Floats softcap(Floats x, Floats cap) { return mul(cap, tanh(div(x, cap))); }
INGLE_INLINE Floats silu_of(Floats x, Floats) { return silu(x); }
INGLE_INLINE Floats gelu_tanh_of(Floats x, Floats) { return gelu_tanh(x); }
INGLE_INLINE Floats silu_gated(Floats gate, Floats up) { return mul(silu(gate), up); }
INGLE_INLINE Floats gelu_tanh_gated(Floats gate, Floats up) { return mul(gelu_tanh(gate), up); }

constexpr PointwiseKernels table = {
    .add = binary<add>,
    .mul = binary<mul>,
    .scale = unary<mul>,
    .softcap = unary<softcap>,
    .activate = {unary<silu_of>, unary<gelu_tanh_of>},
    .gated = {binary<silu_gated>, binary<gelu_tanh_gated>},
};
