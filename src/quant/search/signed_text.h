// Super-blocks of scales: value ~ (unit * multiple) * level, multiples of either sign. As for lines,
// each lane tries one unit for the whole super-block.

struct SignedSearch {
    const float* values;
    const float* weights;
    const SignedShape* shape;
    int count;  // sub-blocks
    float scales[16];

    float unit = 0;  // the best so far, as a half holds it
    float multiples[16] = {};
    float error = infinity;
};

struct SignedTrial {
    Floats multiple, error;
};

template <bool is_uniform>
INGLE_INLINE Floats signed_error(const SignedSearch& s, int b, Floats scale) {
    const Floats inverted = inverse(scale);
    const int n = s.shape->sub_size;
    const float* const values = s.values + b * n;
    const float* const weights = s.weights + b * n;
    Floats error = zero();
    for (int i = 0; i < n; ++i) {
        const Floats x = broadcast(values[i]);
        const Floats level = nearest<is_uniform>(s.shape->levels, mul(x, inverted));
        const Floats difference = sub(mul(scale, level), x);
        error = add(error, mul(broadcast(weights[i]), mul(difference, difference)));
    }
    return error;
}

template <bool is_uniform>
INGLE_INLINE void try_multiple(const SignedSearch& s, int b, Floats multiple, Floats unit,
                               SignedTrial& best) {
    multiple = clamped(multiple, float(s.shape->multiple_min), float(s.shape->multiple_max));
    const Floats error = signed_error<is_uniform>(s, b, mul(unit, multiple));
    best.multiple = select_less(error, best.error, multiple, best.multiple);
    best.error = select_less(error, best.error, error, best.error);
}

template <bool is_uniform>
INGLE_INLINE void try_signed_units(SignedSearch& s, Floats any_unit) {
    const Floats unit = to_halves(any_unit), unit_inverse = inverse(unit);
    SignedTrial trial[16];
    Floats total = zero();
    for (int b = 0; b < s.count; ++b) {
        const Floats nearest_multiple =
            rounded(clamped(mul(broadcast(s.scales[b]), unit_inverse),
                            float(s.shape->multiple_min), float(s.shape->multiple_max)));
        trial[b] = {nearest_multiple, broadcast(infinity)};
        for (int o = 0; o < options; ++o)
            try_multiple<is_uniform>(s, b, add(nearest_multiple, broadcast(float(o - 1))), unit,
                                     trial[b]);
        total = add(total, trial[b].error);
    }
    float errors[lanes];
    store(errors, total);
    const int j = lowest_lane(errors);
    if (!(errors[j] < s.error)) return;
    s.error = errors[j];
    s.unit = lane(unit, j);
    for (int b = 0; b < s.count; ++b) s.multiples[b] = lane(trial[b].multiple, j);
}

template <bool is_uniform>
INGLE_INLINE void level_signed(const SignedSearch& s, int b, float* levels) {
    const Floats inverted = inverse(broadcast(s.unit * s.multiples[b]));
    const int n = s.shape->sub_size;
    for (int i = 0; i < n; i += lanes)
        store(levels + i,
              nearest<is_uniform>(s.shape->levels, mul(load(s.values + b * n + i), inverted)));
}

// The unit that fits the levels and multiples as they are best.
template <bool is_uniform>
INGLE_INLINE float refitted_unit(const SignedSearch& s) {
    Floats uu = zero(), ux = zero();
    const int n = s.shape->sub_size;
    for (int b = 0; b < s.count; ++b) {
        float levels[32];
        level_signed<is_uniform>(s, b, levels);
        for (int i = 0; i < n; i += lanes) {
            const Floats u = mul(broadcast(s.multiples[b]), load(levels + i));
            const Floats wu = mul(load(s.weights + b * n + i), u);
            uu = add(uu, mul(wu, u));
            ux = add(ux, mul(wu, load(s.values + b * n + i)));
        }
    }
    const float square = sum(uu);
    return square > 0 ? sum(ux) / square : s.unit;
}

struct SignedPick {
    float multiple;
    float error = infinity;
};

// For a sub-block in a given unit: sixteen multiples around one.
template <bool is_uniform>
INGLE_INLINE void try_multiples(const SignedSearch& s, int b, float unit, float around,
                                SignedPick& best) {
    float steps[lanes];
    for (int j = 0; j < lanes; ++j) steps[j] = float(j - 7);
    const Floats multiple =
        clamped(add(rounded(broadcast(around)), load(steps)), float(s.shape->multiple_min),
                float(s.shape->multiple_max));
    float errors[lanes];
    store(errors, signed_error<is_uniform>(s, b, mul(broadcast(unit), multiple)));
    const int j = lowest_lane(errors);
    if (errors[j] < best.error) best = {lane(multiple, j), errors[j]};
}

// All sub-blocks in a given unit; true if that is better than the best so far, which it becomes.
template <bool is_uniform>
INGLE_INLINE bool try_signed_unit(SignedSearch& s, float any_unit) {
    const float unit = to_f32(quant::to_finite_f16(any_unit));
    if (unit == 0) return false;
    SignedPick picks[16];
    float error = 0;
    for (int b = 0; b < s.count; ++b) {
        picks[b] = {};
        const float own = s.scales[b] / unit;
        try_multiples<is_uniform>(s, b, unit, own, picks[b]);
        try_multiples<is_uniform>(s, b, unit, -own, picks[b]);  // the levels are no mirror of themselves
        error += picks[b].error;
    }
    if (!(error < s.error)) return false;
    s.error = error;
    s.unit = unit;
    for (int b = 0; b < s.count; ++b) s.multiples[b] = picks[b].multiple;
    return true;
}

// From units around the best one: multiples and the unit in turn, each the best for the others,
// until that gains no more.
template <bool is_uniform>
INGLE_INLINE void refine_signed(SignedSearch& s, int effort) {
    const float around = s.unit;
    const float width = 0.06f - 1.5f / float(s.shape->multiple_min);
    const int starts = effort == 2 ? 6 : 32;
    for (int start = 0; start < starts; ++start) {
        SignedSearch trial = s;
        trial.error = infinity;
        float unit = around * (1 + width * (spread(start, 0.618034f) - 0.5f));
        constexpr int rounds_max = 4;
        for (int round = 0; round < rounds_max; ++round) {
            if (!try_signed_unit<is_uniform>(trial, unit)) break;
            unit = refitted_unit<is_uniform>(trial);
        }
        if (trial.error < s.error) s = trial;
    }
}

template <bool is_uniform>
INGLE_INLINE SignedSuperBlock search_signed(SignedSearch& s, int effort) {
    const SignedShape& shape = *s.shape;
    const int n = shape.sub_size;
    float peak = 0, size = 0;  // with its sign: it gets the lowest multiple
    for (int b = 0; b < s.count; ++b) {
        s.scales[b] = fit_scale<is_uniform>(s.values + b * n, s.weights + b * n, n, shape.levels);
        const float magnitude = s.scales[b] < 0 ? -s.scales[b] : s.scales[b];
        peak = magnitude > size ? s.scales[b] : peak;
        size = magnitude > size ? magnitude : size;
    }
    const Floats largest = broadcast(to_f32(quant::unit_of(-peak, -shape.multiple_min)));
    const float multiple_max = -float(shape.multiple_min);
    float factors[lanes];
    for (int j = 0; j < lanes; ++j)
        factors[j] = multiple_max / (multiple_max - float(j) * (0.008f * multiple_max + 0.1f));
    try_signed_units<is_uniform>(s, mul(largest, load(factors)));
    constexpr float steps[] = {0.0009f, 0.0003f};
    for (const float step : steps) {
        for (int j = 0; j < lanes; ++j) factors[j] = 1 + step * float(j - 7);
        try_signed_units<is_uniform>(s, mul(broadcast(refitted_unit<is_uniform>(s)),
                                            load(factors)));
    }
    if (effort > 1) refine_signed<is_uniform>(s, effort);

    SignedSuperBlock block = {};
    block.scale = to_f16(s.unit);
    for (int b = 0; b < s.count; ++b) {
        float levels[32];
        level_signed<is_uniform>(s, b, levels);
        block.scales[b] = int8_t(s.multiples[b]);
        store_codes<is_uniform>(shape.levels, levels, n, block.codes + b * n);
    }
    return block;
}

SignedSuperBlock signed_super_block(const Target& in, const SignedShape& shape) {
    SignedSearch s = {.values = in.values, .weights = in.weights, .shape = &shape,
                      .count = 256 / shape.sub_size, .scales = {}};
    return shape.levels.is_uniform ? search_signed<true>(s, in.effort)
                                   : search_signed<false>(s, in.effort);
}
