// Super-blocks of lines: value ~ (unit * level) * code - min_unit * min_level. Each lane tries a pair of
// units for the whole super-block: every sub-block takes, of three levels near its own best scale,
// the one that loses least, with the minimum that fits it. The best lane's codes then give better
// units by least squares, and lanes around those are tried again.

struct AffineSearch {
    const float* values;
    const float* weights;
    AffineShape shape;
    int count;  // sub-blocks
    Fit fits[16];
    float mean_value[16];  // weighted

    float unit = 0, min_unit = 0;  // the best so far, as halves hold them
    float levels[16] = {}, min_levels[16] = {};
    float error = infinity;
};

struct AffineTrial {
    Floats level, min_level, error;
};

INGLE_INLINE Floats affine_error(const AffineSearch& s, int b, Floats scale, Floats shift) {
    const Floats inverted = inverse(scale);
    const float* const values = s.values + b * s.shape.sub_size;
    const float* const weights = s.weights + b * s.shape.sub_size;
    Floats error = zero();
    for (int i = 0; i < s.shape.sub_size; ++i) {
        const Floats x = add(broadcast(values[i]), shift);
        const Floats code = rounded(clamped(mul(x, inverted), 0, float(s.shape.code_max)));
        const Floats difference = sub(mul(scale, code), x);
        error = add(error, mul(broadcast(weights[i]), mul(difference, difference)));
    }
    return error;
}

INGLE_INLINE void try_level(const AffineSearch& s, int b, Floats level, Floats unit,
                            Floats min_unit, Floats min_inverse, AffineTrial& best) {
    const float level_max = float(s.shape.level_max);
    level = clamped(level, 0, level_max);
    const Floats scale = mul(unit, level);
    const Floats minimum =
        sub(mul(scale, broadcast(s.fits[b].mean_code)), broadcast(s.mean_value[b]));
    const Floats min_level = rounded(clamped(mul(minimum, min_inverse), 0, level_max));
    const Floats error = affine_error(s, b, scale, mul(min_unit, min_level));
    best.level = select_less(error, best.error, level, best.level);
    best.min_level = select_less(error, best.error, min_level, best.min_level);
    best.error = select_less(error, best.error, error, best.error);
}

// Tries 16 pairs of units; true if one of them is better than the best so far, which it becomes.
INGLE_INLINE bool try_units(AffineSearch& s, Floats any_unit, Floats any_min_unit) {
    const Floats unit = to_halves(any_unit), min_unit = to_halves(any_min_unit);
    const Floats unit_inverse = inverse(unit), min_inverse = inverse(min_unit);
    AffineTrial trial[16];
    Floats total = zero();
    for (int b = 0; b < s.count; ++b) {
        const Floats nearest = rounded(
            clamped(mul(broadcast(s.fits[b].scale), unit_inverse), 0, float(s.shape.level_max)));
        trial[b] = {nearest, zero(), broadcast(infinity)};
        for (int o = 0; o < options; ++o)
            try_level(s, b, add(nearest, broadcast(float(o - 1))), unit, min_unit, min_inverse,
                      trial[b]);
        total = add(total, trial[b].error);
    }
    float errors[lanes];
    store(errors, total);
    const int j = lowest_lane(errors);
    if (!(errors[j] < s.error)) return false;
    s.error = errors[j];
    s.unit = lane(unit, j);
    s.min_unit = lane(min_unit, j);
    for (int b = 0; b < s.count; ++b) {
        s.levels[b] = lane(trial[b].level, j);
        s.min_levels[b] = lane(trial[b].min_level, j);
    }
    return true;
}

INGLE_INLINE void code_affine(const AffineSearch& s, int b, float* codes) {
    const Floats scale = broadcast(s.unit * s.levels[b]);
    const Floats shift = broadcast(s.min_unit * s.min_levels[b]), inverted = inverse(scale);
    for (int i = 0; i < s.shape.sub_size; i += lanes) {
        const Floats x = add(load(s.values + b * s.shape.sub_size + i), shift);
        store(codes + i, rounded(clamped(mul(x, inverted), 0, float(s.shape.code_max))));
    }
}

struct Units {
    float unit, min_unit;
};

// With codes and levels as they are, values are linear in the two units: solve for both.
INGLE_INLINE Units refitted(const AffineSearch& s) {
    Floats uu = zero(), vv = zero(), uv = zero(), ux = zero(), vx = zero();
    for (int b = 0; b < s.count; ++b) {
        float codes[32];
        code_affine(s, b, codes);
        const Floats level = broadcast(s.levels[b]), v = broadcast(-s.min_levels[b]);
        for (int i = 0; i < s.shape.sub_size; i += lanes) {
            const int at = b * s.shape.sub_size + i;
            const Floats x = load(s.values + at), w = load(s.weights + at);
            const Floats u = mul(level, load(codes + i));
            const Floats wu = mul(w, u), wv = mul(w, v);
            uu = add(uu, mul(wu, u));
            vv = add(vv, mul(wv, v));
            uv = add(uv, mul(wu, v));
            ux = add(ux, mul(wu, x));
            vx = add(vx, mul(wv, x));
        }
    }
    const double a = double(sum(uu)), b = double(sum(uv)), c = double(sum(vv));
    const double p = double(sum(ux)), q = double(sum(vx));
    const double determinant = a * c - b * b;
    Units units = {s.unit, s.min_unit};
    if (determinant > 1e-6 * a * c) {
        const float unit = float((c * p - b * q) / determinant);
        const float min_unit = float((a * q - b * p) / determinant);
        if (unit > 0 && min_unit >= 0) units = {unit, min_unit};
    } else if (c == 0 && a > 0 && p > 0) {
        units.unit = float(p / a);
    }
    return units;
}

// Pairs around one pair, itself among them: 4 by 4, `step` apart.
INGLE_INLINE bool try_around(AffineSearch& s, Units units, float step) {
    float factors[lanes], min_factors[lanes];
    for (int j = 0; j < lanes; ++j) {
        factors[j] = 1 + step * float(j % 4 - 1);
        min_factors[j] = 1 + step * float(j / 4 - 1);
    }
    return try_units(s, mul(broadcast(units.unit), load(factors)),
                     mul(broadcast(units.min_unit), load(min_factors)));
}

// For a sub-block in given units: five levels near its own best scale, `shift` from it, each with
// three minima near the one that fits it; the sixteenth lane is as the first.
struct AffinePick {
    float level, min_level;
    float error = infinity;
};
INGLE_INLINE void try_pairs(const AffineSearch& s, int b, Units units, float shift,
                            AffinePick& best) {
    const float level_max = float(s.shape.level_max);
    float level_steps[lanes], min_steps[lanes];
    for (int j = 0; j < lanes; ++j) {
        level_steps[j] = float(j % 5 - 2) + shift;
        min_steps[j] = float(j / 5 % 3 - 1);
    }
    const Floats unit = broadcast(units.unit), min_unit = broadcast(units.min_unit);
    const Floats own = rounded(
        clamped(mul(broadcast(s.fits[b].scale), inverse(unit)), 0, level_max));
    const Floats level = clamped(add(own, load(level_steps)), 0, level_max);
    const Floats scale = mul(unit, level);
    const Floats minimum =
        sub(mul(scale, broadcast(s.fits[b].mean_code)), broadcast(s.mean_value[b]));
    const Floats fitting = rounded(clamped(mul(minimum, inverse(min_unit)), 0, level_max));
    const Floats min_level = clamped(add(fitting, load(min_steps)), 0, level_max);
    float errors[lanes];
    store(errors, affine_error(s, b, scale, mul(min_unit, min_level)));
    const int j = lowest_lane(errors);
    if (errors[j] < best.error) best = {lane(level, j), lane(min_level, j), errors[j]};
}

// All sub-blocks in given units; true if that is better than the best so far, which it becomes.
INGLE_INLINE bool try_unit_pair(AffineSearch& s, Units any, int effort) {
    const Units units = {to_f32(quant::to_finite_f16(any.unit)),
                         to_f32(quant::to_finite_f16(any.min_unit))};
    AffinePick picks[16];
    float error = 0;
    for (int b = 0; b < s.count; ++b) {
        picks[b] = {};
        try_pairs(s, b, units, 0, picks[b]);
        if (effort == 3) {
            try_pairs(s, b, units, -5, picks[b]);
            try_pairs(s, b, units, 5, picks[b]);
        }
        error += picks[b].error;
    }
    if (!(error < s.error)) return false;
    s.error = error;
    s.unit = units.unit;
    s.min_unit = units.min_unit;
    for (int b = 0; b < s.count; ++b) {
        s.levels[b] = picks[b].level;
        s.min_levels[b] = picks[b].min_level;
    }
    return true;
}

// From units around the best ones: levels and units in turn, each the best for the others, until
// that gains no more.
INGLE_INLINE void refine_affine(AffineSearch& s, int effort) {
    const Units around = {s.unit, s.min_unit};
    const float width = 0.06f + 1.5f / float(s.shape.level_max);
    const int starts = effort == 2 ? 6 : 24;
    for (int start = 0; start < starts; ++start) {
        AffineSearch trial = s;
        trial.error = infinity;
        Units units = {around.unit * (1 + width * (spread(start, 0.618034f) - 0.5f)),
                       around.min_unit * (1 + width * (spread(start, 0.754878f) - 0.5f))};
        constexpr int rounds_max = 4;
        for (int round = 0; round < rounds_max; ++round) {
            if (!try_unit_pair(trial, units, effort)) break;
            units = refitted(trial);
        }
        if (trial.error < s.error) s = trial;
    }
}

AffineSuperBlock affine_super_block(const Target& in, const AffineShape& shape) {
    const float *const values = in.values, *const weights = in.weights;
    AffineSearch s = {.values = values, .weights = weights, .shape = shape,
                      .count = 256 / shape.sub_size, .fits = {}, .mean_value = {}};
    float scale_max = 0, min_max = 0;
    for (int b = 0; b < s.count; ++b) {
        const float* const x = values + b * shape.sub_size;
        const float* const w = weights + b * shape.sub_size;
        s.fits[b] = fit_line(x, w, shape.sub_size, float(shape.code_max), 0);
        const ValueSums sums = value_sums(x, w, shape.sub_size);
        s.mean_value[b] = sums.w > 0 ? sums.x / sums.w : 0;
        scale_max = s.fits[b].scale > scale_max ? s.fits[b].scale : scale_max;
        min_max = -s.fits[b].offset > min_max ? -s.fits[b].offset : min_max;
    }
    // Units at which the largest scale, or minimum, has a level at the top of the range or below.
    const float level_max = float(shape.level_max);
    const Floats largest = broadcast(to_f32(quant::unit_of(scale_max, shape.level_max)));
    const Floats min_largest = broadcast(to_f32(quant::unit_of(min_max, shape.level_max)));
    float stretches[lanes];
    for (int j = 0; j < lanes; ++j)
        stretches[j] = level_max / (level_max - float(j) * (0.01f * level_max + 0.12f));
    try_units(s, mul(largest, load(stretches)), min_largest);
    try_units(s, broadcast(s.unit), mul(min_largest, load(stretches)));
    constexpr float steps[] = {0.004f, 0.0015f};
    for (const float step : steps) try_around(s, refitted(s), step);
    if (in.effort > 1) refine_affine(s, in.effort);

    AffineSuperBlock block = {};
    block.scale = to_f16(s.unit);
    block.min_scale = to_f16(s.min_unit);
    for (int b = 0; b < s.count; ++b) {
        float codes[32];
        code_affine(s, b, codes);
        block.scales[b] = uint8_t(s.levels[b]);
        block.mins[b] = uint8_t(s.min_levels[b]);
        for (int i = 0; i < shape.sub_size; ++i)
            block.codes[b * shape.sub_size + i] = uint8_t(codes[i]);
    }
    return block;
}
