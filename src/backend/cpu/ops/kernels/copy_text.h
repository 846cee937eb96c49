// Conversion to half precision.

void to_half(const float* x, int64_t n, f16* out) {
    const int64_t whole = n / lanes * lanes;
    for (int64_t i = 0; i < whole; i += lanes) store(out + i, load(x + i));
    for (int64_t i = whole; i < n; ++i) out[i] = to_f16(x[i]);
}

constexpr CopyKernels table = {to_half};
