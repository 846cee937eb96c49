// Rotation of pairs. Sines are computed in double, in loops that the compiler turns into vectors,
// so that they are those of the f32 angle rounded once: angles grow to the length of the context,
// where f32 reductions lose digits.
//   angle = k pi/2 + r, |r| <= pi/4;  sin r and cos r by their series, whose rests are below 7e-12

INGLE_INLINE int64_t bits_of(double x) {
    int64_t bits;
    __builtin_memcpy(&bits, &x, sizeof(bits));
    return bits;
}

// `Angle` is the type in which the angle is rounded.
template <class Angle>
INGLE_INLINE void fill_table(Angle position, const float* frequency, float magnitude, int64_t n,
                             float* cosine, float* sine) {
    for (int64_t i = 0; i < n; ++i) {
        const double x = double(position * Angle(frequency[i]));
        const double shifted = x * 0.6366197723675814 + 0x1.8p52;  // rounds to the nearest whole k
        const double k = shifted - 0x1.8p52;
        const double r = (x - k * 0x1.921fb544p0) - k * 0x1.0b4611a626331p-34;
        const double z = r * r;
        double s = 1.0 / 362880 + z * (-1.0 / 39916800);
        s = r + r * z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * s)));
        double c = 1.0 / 40320 + z * (-1.0 / 3628800 + z * (1.0 / 479001600));
        c = 1 + z * (-0.5 + z * (1.0 / 24 + z * (-1.0 / 720 + z * c)));
        const int64_t quadrant = bits_of(shifted) & 3;
        const double near_sine = (quadrant & 1) != 0 ? c : s;
        const double near_cosine = (quadrant & 1) != 0 ? s : c;
        sine[i] = float((quadrant & 2) != 0 ? -near_sine : near_sine) * magnitude;
        cosine[i] = float(((quadrant + 1) & 2) != 0 ? -near_cosine : near_cosine) * magnitude;
    }
}

void make_table(float position, const float* frequency, float magnitude, int64_t n, float* cosine,
                float* sine) {
    fill_table(position, frequency, magnitude, n, cosine, sine);
}
void make_exact_table(double distance, const float* frequency, int64_t n, float* cosine,
                      float* sine) {
    fill_table(distance, frequency, 1.0f, n, cosine, sine);
}

void halves(const float* x, const float* cosine, const float* sine, int64_t n, float* out) {
    const int64_t whole = n / lanes * lanes;
    for (int64_t i = 0; i < whole; i += lanes) {
        const Floats a = load(x + i);
        const Floats b = load(x + n + i);
        const Floats c = load(cosine + i);
        const Floats s = load(sine + i);
        store(out + i, sub(mul(a, c), mul(b, s)));
        store(out + n + i, add(mul(a, s), mul(b, c)));
    }
    for (int64_t i = whole; i < n; ++i) {
        const float a = x[i];
        const float b = x[n + i];
        out[i] = a * cosine[i] - b * sine[i];
        out[n + i] = a * sine[i] + b * cosine[i];
    }
}

void neighbours(const float* x, const float* cosine, const float* sine, int64_t n, float* out) {
    for (int64_t i = 0; i < n; ++i) {
        const float a = x[2 * i];
        const float b = x[2 * i + 1];
        out[2 * i] = a * cosine[i] - b * sine[i];
        out[2 * i + 1] = a * sine[i] + b * cosine[i];
    }
}

constexpr RotateKernels table = {make_table, make_exact_table, halves, neighbours};
