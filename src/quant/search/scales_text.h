// Scales: value ~ scale * level. Lanes start with the largest value on either end of the levels, cut
// off by more or less; least squares and rounding follow each other as for lines.

template <bool is_uniform>
INGLE_INLINE Floats nearest(const Levels& levels, Floats x) {
    if constexpr (is_uniform) return rounded(clamped(x, levels.low, levels.high));
    Floats level = broadcast(levels.low);
    for (int j = 0; j + 1 < levels.count; ++j)
        level = add(level, select_less(broadcast(levels.middles[j]), x,
                                       broadcast(levels.steps[j]), zero()));
    return level;
}

struct ScaleTrials {
    Floats scale, gain;  // gain: how much of sum(w x^2) is explained
};

template <bool is_uniform>
INGLE_INLINE void improve_scales(const float* values, const float* weights, int n,
                                 const Levels& levels, Floats scale, ScaleTrials& best) {
    const Floats inverted = inverse(scale);
    Floats qq = zero(), qx = zero();
    for (int i = 0; i < n; ++i) {
        const Floats x = broadcast(values[i]);
        const Floats level = nearest<is_uniform>(levels, mul(x, inverted));
        const Floats weighted = mul(broadcast(weights[i]), level);
        qq = add(qq, mul(weighted, level));
        qx = add(qx, mul(weighted, x));
    }
    const Floats fitted = div(qx, qq);
    const Floats gain = select_less(zero(), qq, mul(fitted, qx), broadcast(-1));
    best.scale = select_less(best.gain, gain, fitted, best.scale);
    best.gain = select_less(best.gain, gain, gain, best.gain);
}

template <bool is_uniform>
INGLE_INLINE float fit_scale(const float* values, const float* weights, int n,
                             const Levels& levels) {
    float peak = 0, size = 0;  // with its sign, and without
    for (int i = 0; i < n; ++i) {
        const float magnitude = values[i] < 0 ? -values[i] : values[i];
        peak = magnitude > size ? values[i] : peak;
        size = magnitude > size ? magnitude : size;
    }
    if (size < quant::magnitude_min) return 0;
    constexpr int rounds = is_uniform ? 3 : 2;
    float best = peak / levels.low, best_gain = -1;
    const float ends[] = {levels.low, levels.high};
    for (const float end : ends) {
        float scales[lanes];
        for (int j = 0; j < lanes; ++j)
            scales[j] = peak / end * (levels.cut_most + levels.cut_step * float(j));
        ScaleTrials trial = {load(scales), broadcast(-2)};
        for (int round = 0; round < rounds; ++round)
            improve_scales<is_uniform>(values, weights, n, levels, trial.scale, trial);
        float gains[lanes];
        store(gains, trial.gain);
        for (int j = 0; j < lanes; ++j) {
            if (gains[j] <= best_gain) continue;
            best_gain = gains[j];
            best = lane(trial.scale, j);
        }
    }
    return best;
}

float best_scale(const float* values, const float* weights, int n, const Levels& levels) {
    return levels.is_uniform ? fit_scale<true>(values, weights, n, levels)
                             : fit_scale<false>(values, weights, n, levels);
}
