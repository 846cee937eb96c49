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

// The codes of levels.
template <bool is_uniform>
INGLE_INLINE void store_codes(const Levels& levels, const float* found, int n, uint8_t* codes) {
    if constexpr (is_uniform) {
        for (int i = 0; i < n; ++i) codes[i] = uint8_t(int(found[i] - levels.low));
    } else {
        for (int i = 0; i < n; ++i) codes[i] = 0;
        for (int j = 0; j + 1 < levels.count; ++j)
            for (int i = 0; i < n; ++i)
                codes[i] = uint8_t(codes[i] + (levels.values[j] < found[i] ? 1 : 0));
    }
}

struct ScaleTrials {
    Floats scale, gain;  // gain: how much of sum(w x^2) is explained
};

// What least squares needs to know of one value after the other.
struct ScaleSums {
    Floats qq, qx;

    INGLE_INLINE void add_value(Floats x, Floats weight, Floats level) {
        const Floats weighted = mul(weight, level);
        qq = add(qq, mul(weighted, level));
        qx = add(qx, mul(weighted, x));
    }
    INGLE_INLINE ScaleTrials fitted() const {
        const Floats scale = div(qx, qq);
        return {scale, select_less(zero(), qq, mul(scale, qx), broadcast(-1))};
    }
};

// Lane by lane the better one; of equals the first.
INGLE_INLINE ScaleTrials better(const ScaleTrials& a, const ScaleTrials& b) {
    return {select_less(a.gain, b.gain, b.scale, a.scale), select_less(a.gain, b.gain, b.gain, a.gain)};
}

template <bool is_uniform>
INGLE_INLINE ScaleTrials fitted_scales(const float* values, const float* weights, int n,
                                       const Levels& levels, Floats scale) {
    const Floats inverted = inverse(scale);
    ScaleSums sums = {zero(), zero()};
    for (int i = 0; i < n; ++i) {
        const Floats x = broadcast(values[i]);
        sums.add_value(x, broadcast(weights[i]), nearest<is_uniform>(levels, mul(x, inverted)));
    }
    return sums.fitted();
}

// The first of the largest values, with its sign.
INGLE_INLINE float peak_of(const float* values, int n) {
    Floats magnitudes = zero();
    for (int i = 0; i < n; i += lanes) {
        const Floats x = load(values + i);
        magnitudes = max(max(x, sub(zero(), x)), magnitudes);
    }
    const float size = highest(magnitudes);
    for (int i = 0; i < n; ++i)
        if (values[i] == size || values[i] == -size) return values[i];
    return 0;
}
INGLE_INLINE bool is_tiny(float peak) {
    return peak < quant::magnitude_min && -peak < quant::magnitude_min;
}

template <bool is_uniform>
constexpr int scale_rounds = is_uniform ? 3 : 2;

// Scales that put the peak on one end of the levels, cut off as Levels says, `shift` steps aside.
INGLE_INLINE Floats first_scales(const Levels& levels, float peak, float end, float shift) {
    float scales[lanes];
    for (int j = 0; j < lanes; ++j)
        scales[j] = peak / end * (levels.cut_most + levels.cut_step * (float(j) + shift));
    return load(scales);
}

struct ScaleChoice {
    float scale;
    float loss = 1;  // the negative of the gain
};
INGLE_INLINE void choose(const ScaleTrials& trial, ScaleChoice& best) {
    float losses[lanes];
    store(losses, sub(zero(), trial.gain));
    const int j = lowest_lane(losses);
    if (losses[j] < best.loss) best = {lane(trial.scale, j), losses[j]};
}

// Sixteen trials from each end of the levels. For super-blocks: the more scales are tried, the closer
// come values to many levels.
template <bool is_uniform>
INGLE_INLINE float fit_scale(const float* values, const float* weights, int n,
                             const Levels& levels) {
    const float peak = peak_of(values, n);
    if (is_tiny(peak)) return 0;
    ScaleChoice best = {peak / levels.low};
    const float ends[] = {levels.low, levels.high};
    for (const float end : ends) {
        ScaleTrials trial = {first_scales(levels, peak, end, 0), broadcast(-2)};
        for (int round = 0; round < scale_rounds<is_uniform>; ++round)
            trial = better(trial,
                           fitted_scales<is_uniform>(values, weights, n, levels, trial.scale));
        choose(trial, best);
    }
    return best.scale;
}

// Sixteen trials, each going on from the end of the levels that does better, in half the time of
// fit_scale. The ends are tried half a step apart, so that their scales differ.
template <bool is_uniform>
INGLE_INLINE ScaleTrials try_scales(const Target& in, const Levels& levels, float peak,
                                    float shift) {
    const Floats low_inverted = inverse(first_scales(levels, peak, levels.low, shift));
    const Floats high_inverted = inverse(first_scales(levels, peak, levels.high, shift + 0.5f));
    ScaleSums low = {zero(), zero()}, high = low;
    for (int i = 0; i < in.count; ++i) {
        const Floats x = broadcast(in.values[i]), weight = broadcast(in.weights[i]);
        low.add_value(x, weight, nearest<is_uniform>(levels, mul(x, low_inverted)));
        high.add_value(x, weight, nearest<is_uniform>(levels, mul(x, high_inverted)));
    }
    const ScaleTrials trial = better(low.fitted(), high.fitted());
    return better(trial, fitted_scales<is_uniform>(in.values, in.weights, in.count, levels,
                                                   trial.scale));
}

// The same two steps, rounding and least squares, for one scale: lanes are values here.
template <bool is_uniform>
INGLE_INLINE void polish(const Target& in, const Levels& levels, ScaleChoice& best) {
    constexpr int rounds_max = 2;
    for (int round = 0; round < rounds_max; ++round) {
        const Floats inverted = inverse(broadcast(best.scale));
        ScaleSums sums = {zero(), zero()};
        for (int i = 0; i < in.count; i += lanes) {
            const Floats x = load(in.values + i);
            sums.add_value(x, load(in.weights + i),
                           nearest<is_uniform>(levels, mul(x, inverted)));
        }
        float all_qq[lanes], all_qx[lanes];
        store(all_qq, sums.qq);
        store(all_qx, sums.qx);
        const float qq = sum_of<lanes>(all_qq), qx = sum_of<lanes>(all_qx);
        if (!(qq > 0) || !(qx * qx / qq > -best.loss)) return;
        best = {qx / qq, -qx * qx / qq};
    }
}

template <bool is_uniform>
INGLE_INLINE float fit_block_scale(const Target& in, const Levels& levels) {
    const float peak = peak_of(in.values, in.count);
    if (is_tiny(peak)) return 0;
    ScaleChoice best = {peak / levels.low};
    choose(try_scales<is_uniform>(in, levels, peak, 0), best);
    polish<is_uniform>(in, levels, best);
    return best.scale;
}

template <bool is_uniform>
INGLE_INLINE ScaledBlock coded_block(const Target& in, const Levels& levels, float scale) {
    ScaledBlock block;
    block.scale = quant::to_finite_f16(scale);
    const Floats inverted = inverse(broadcast(to_f32(block.scale)));
    float found[32];
    for (int i = 0; i < 32; i += lanes)
        store(found + i, nearest<is_uniform>(levels, mul(load(in.values + i), inverted)));
    store_codes<is_uniform>(levels, found, 32, block.codes);
    return block;
}

ScaledBlock scaled_block(const Target& in, const Levels& levels) {
    if (levels.is_uniform)
        return coded_block<true>(in, levels, fit_block_scale<true>(in, levels));
    return coded_block<false>(in, levels, fit_block_scale<false>(in, levels));
}

// Of sixteen scales, as halves hold them, the one that loses least.
struct ScaleBest {
    float scale = 0;
    float error = infinity;
};
INGLE_INLINE void try_halves(const Target& in, const Levels& levels, Floats any_scale,
                             ScaleBest& best) {
    const Floats scale = to_halves(any_scale), inverted = inverse(scale);
    Floats error = zero();
    for (int i = 0; i < in.count; ++i) {
        const Floats x = broadcast(in.values[i]);
        const Floats level = nearest<true>(levels, mul(x, inverted));
        const Floats difference = sub(mul(scale, level), x);
        error = add(error, mul(broadcast(in.weights[i]), mul(difference, difference)));
    }
    float errors[lanes];
    store(errors, error);
    const int j = lowest_lane(errors);
    if (errors[j] < best.error) best = {lane(scale, j), errors[j]};
}

// For many levels: which scale is best is a matter of chance, so the more are tried the better.
ScaledBlock improved_block(const Target& in, const Levels& levels, f16 known) {
    const float peak = peak_of(in.values, in.count);
    if (is_tiny(peak)) return coded_block<true>(in, levels, to_f32(known));
    ScaleBest best;
    try_halves(in, levels, broadcast(to_f32(known)), best);
    const int steps = in.effort == 2 ? 1 : 3;
    for (int step = 0; step < steps; ++step) {
        const float shift = (float(step) + 0.5f) / float(steps) - 0.5f;
        try_halves(in, levels, try_scales<true>(in, levels, peak, shift).scale, best);
    }
    return coded_block<true>(in, levels, best.scale);
}
