// Elementary functions of 16 floats, in the operations of floats_*.h. Included inside a namespace
// of its own, after those.

constexpr int lanes = 16;
constexpr float infinity = __builtin_inff();

// Lane i with lane i + 8, then i + 4, i + 2, i + 1: one order on every instruction set.
INGLE_INLINE float sum(Floats x) {
    float v[lanes];
    store(v, x);
    for (int width = lanes / 2; width > 0; width /= 2)
        for (int i = 0; i < width; ++i) v[i] += v[i + width];
    return v[0];
}
INGLE_INLINE float highest(Floats x) {
    float v[lanes];
    store(v, x);
    for (int width = lanes / 2; width > 0; width /= 2)
        for (int i = 0; i < width; ++i) v[i] = v[i] > v[i + width] ? v[i] : v[i + width];
    return v[0];
}

// e^x within 2 units in the last place; 0 below -104, infinity above 88.73, NaN for NaN.
//   x = n ln 2 + r, |r| <= ln 2 / 2 and a little;  e^r by its series to r^7 / 7!, rest below 6e-9
// ln 2 is split so that n times its upper part (9 bits) is exact also without a fused multiply-add.
INGLE_INLINE Floats exp(Floats unbounded) {
    const Floats x = min(broadcast(89.0f), max(broadcast(-104.0f), unbounded));
    const Floats magic = broadcast(0x1.8p23f);  // adding it rounds to a whole number
    const Floats shifted = fma(x, broadcast(0x1.715476p0f), magic);
    const Floats n = sub(shifted, magic);
    const Floats coarse = fma(n, broadcast(-0x1.63p-1f), x);
    const Floats r = fma(n, broadcast(0x1.bd0106p-13f), coarse);
    Floats p = broadcast(1.0f / 5040);
    p = fma(p, r, broadcast(1.0f / 720));
    p = fma(p, r, broadcast(1.0f / 120));
    p = fma(p, r, broadcast(1.0f / 24));
    p = fma(p, r, broadcast(1.0f / 6));
    p = fma(p, r, broadcast(0.5f));
    p = fma(p, r, broadcast(1.0f));
    p = fma(p, r, broadcast(1.0f));
    return times_power(p, n, shifted);
}

// tanh x within 4 units in the last place.
//   |x| < 0.6: x + x z P(z), z = x^2, P fitted to (tanh(x) / x - 1) / z with relative error 3e-9
//   else:      1 - 2 / (e^2|x| + 1), with the sign of x
INGLE_INLINE Floats tanh(Floats x) {
    const Floats one = broadcast(1);
    const Floats magnitude = max(sub(zero(), x), x);
    const Floats z = mul(x, x);
    Floats p = broadcast(-0.0058939453f);
    p = fma(p, z, broadcast(0.020794618f));
    p = fma(p, z, broadcast(-0.053783293f));
    p = fma(p, z, broadcast(0.13331915f));
    p = fma(p, z, broadcast(-0.33333298f));
    const Floats near = fma(mul(x, z), p, x);
    const Floats far = sub(one, div(broadcast(2), add(exp(add(magnitude, magnitude)), one)));
    const Floats signed_far = select_less(x, zero(), sub(zero(), far), far);
    return select_less(magnitude, broadcast(0.6f), near, signed_far);
}

// x * sigmoid(x)
INGLE_INLINE Floats silu(Floats x) {
    return div(x, add(broadcast(1), exp(sub(zero(), x))));
}

// x/2 (1 + tanh u) = x sigmoid(2u),   u = sqrt(2/pi) (x + 0.044715 x^3)
INGLE_INLINE Floats gelu_tanh(Floats x) {
    const Floats cubic = fma(mul(broadcast(0.044715f), mul(x, x)), x, x);
    const Floats minus_two_u = mul(broadcast(-2 * 0.7978845608028654f), cubic);
    return div(x, add(broadcast(1), exp(minus_two_u)));
}
