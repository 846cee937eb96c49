// Lines: value ~ scale * code + offset, codes from 0 to code_max. Each lane starts from a scale of its
// own, rounds the values to codes, and takes the best line for those codes (least squares); then it
// rounds to that line, and so on: every step can only gain.

constexpr int line_rounds = 3;

struct Fit {
    float scale = 0;
    float offset = 0;
    float mean_code = 0;  // weighted
};

// Sums over the values, the same for all lanes.
struct ValueSums {
    float w = 0, x = 0, xx = 0;
};

INGLE_INLINE ValueSums value_sums(const float* values, const float* weights, int n) {
    Floats w = zero(), x = zero(), xx = zero();
    for (int i = 0; i < n; i += lanes) {
        const Floats value = load(values + i), weight = load(weights + i);
        const Floats product = mul(weight, value);
        w = add(w, weight);
        x = add(x, product);
        xx = add(xx, mul(product, value));
    }
    return {sum(w), sum(x), sum(xx)};
}

struct LineTrials {
    Floats scale, offset, mean_code, error;
};

// One round for all lanes, which keep what they had where it was better.
INGLE_INLINE void improve_lines(const float* values, const float* weights, int n, float code_max,
                                float offset_max, const ValueSums& sums, Floats scale,
                                Floats offset, LineTrials& best) {
    const Floats inverted = inverse(scale);
    const Floats start = mul(offset, inverted);
    Floats q1 = zero(), qq = zero(), qx = zero();
    for (int i = 0; i < n; ++i) {
        const Floats x = broadcast(values[i]);
        const Floats code = rounded(clamped(sub(mul(x, inverted), start), 0, code_max));
        const Floats weighted = mul(broadcast(weights[i]), code);
        q1 = add(q1, weighted);
        qq = add(qq, mul(weighted, code));
        qx = add(qx, mul(weighted, x));
    }
    const Floats w = broadcast(sums.w), x = broadcast(sums.x);
    const Floats determinant = sub(mul(w, qq), mul(q1, q1));
    const Floats divisor = div(broadcast(1), determinant);
    Floats a = mul(sub(mul(w, qx), mul(q1, x)), divisor);
    Floats b = mul(sub(mul(qq, x), mul(q1, qx)), divisor);
    // Held to the greatest offset, the scale has an optimum of its own.
    const Floats limit = broadcast(offset_max);
    const Floats held = div(sub(qx, mul(limit, q1)), qq);
    a = select_less(limit, b, held, a);
    b = select_less(limit, b, limit, b);
    // sum of w (a q + b - x)^2
    const Floats linear = sub(add(mul(a, qq), mul(broadcast(2), mul(b, q1))),
                              mul(broadcast(2), qx));
    const Floats constant = sub(mul(b, w), mul(broadcast(2), x));
    Floats error = add(add(mul(a, linear), mul(b, constant)), broadcast(sums.xx));
    const Floats none = broadcast(infinity);
    error = select_less(mul(broadcast(1e-6f), mul(w, qq)), determinant, error, none);
    error = select_less(zero(), a, error, none);
    const Floats mean = mul(q1, broadcast(1 / sums.w));
    best.scale = select_less(error, best.error, a, best.scale);
    best.offset = select_less(error, best.error, b, best.offset);
    best.mean_code = select_less(error, best.error, mean, best.mean_code);
    best.error = select_less(error, best.error, error, best.error);
}

// Sixteen trials: a range as wide as that of the values less what `shift` says, the least value
// `below` code 0: cutting it off pays where it matters little.
INGLE_INLINE LineTrials try_lines(const float* values, const float* weights, int n, float code_max,
                                  float offset_max, const ValueSums& sums, float range, float below,
                                  float shift) {
    float scales[lanes], offsets[lanes];
    for (int j = 0; j < lanes; ++j) {
        // The whole range first: of equals the first wins. Then 0.2 steps up, down, up, ...
        const float stretch = 0.2f * float(j % 2 == 0 ? -j / 2 : j / 2 + 1) + shift;
        scales[j] = range / (code_max + stretch + below);
        offsets[j] = below * scales[j];
        offsets[j] = offsets[j] < offset_max ? offsets[j] : offset_max;
    }
    LineTrials lines = {load(scales), load(offsets), zero(), broadcast(infinity)};
    for (int round = 0; round < line_rounds; ++round)
        improve_lines(values, weights, n, code_max, offset_max, sums, lines.scale, lines.offset,
                      lines);
    return lines;
}

// Values and the offset's limit are counted from the least value.
INGLE_INLINE Fit fit_shifted(const float* values, const float* weights, int n, float code_max,
                             float offset_max, float range) {
    const ValueSums sums = value_sums(values, weights, n);
    if (!(sums.w > 0)) return {range / code_max, 0, 0};
    Fit best;
    float best_error = infinity;
    constexpr float starts[] = {0.0f, 0.6f};
    for (const float below : starts) {
        const LineTrials lines =
            try_lines(values, weights, n, code_max, offset_max, sums, range, below, 0);
        float errors[lanes];
        store(errors, lines.error);
        const int j = lowest_lane(errors);
        if (errors[j] >= best_error) continue;
        best_error = errors[j];
        best = {lane(lines.scale, j), lane(lines.offset, j), lane(lines.mean_code, j)};
    }
    if (best_error == infinity) return {range / code_max, 0, 0};
    return best;
}

struct Span {
    float least, range;
};
INGLE_INLINE Span span_of(const float* values, int n, float offset_max) {
    float least = values[0], greatest = values[0];
    for (int i = 1; i < n; ++i) {
        least = values[i] < least ? values[i] : least;
        greatest = values[i] > greatest ? values[i] : greatest;
    }
    const float low = least < offset_max ? least : offset_max;
    return {low, greatest - low};
}

INGLE_INLINE Fit fit_line(const float* values, const float* weights, int n, float code_max,
                          float offset_max) {
    const Span span = span_of(values, n, offset_max);
    if (span.range < quant::magnitude_min) return {0, span.least, 0};
    float shifted[32];
    for (int i = 0; i < n; ++i) shifted[i] = values[i] - span.least;
    Fit fit = fit_shifted(shifted, weights, n, code_max, offset_max - span.least, span.range);
    fit.offset += span.least;
    return fit;
}

// A line as halves hold it, and what it loses.
struct LineBest {
    float scale = 0, offset = 0;
    float error = infinity;
};

INGLE_INLINE void try_line_halves(const Target& in, float code_max, Floats any_scale,
                                  Floats any_offset, LineBest& best) {
    const Floats scale = to_halves(any_scale), offset = to_halves(any_offset);
    const Floats inverted = inverse(scale);
    Floats error = zero();
    for (int i = 0; i < in.count; ++i) {
        const Floats x = sub(broadcast(in.values[i]), offset);
        const Floats code = rounded(clamped(mul(x, inverted), 0, code_max));
        const Floats difference = sub(mul(scale, code), x);
        error = add(error, mul(broadcast(in.weights[i]), mul(difference, difference)));
    }
    float errors[lanes];
    store(errors, error);
    const int j = lowest_lane(errors);
    if (errors[j] < best.error) best = {lane(scale, j), lane(offset, j), errors[j]};
}

// More trials than fit_line makes, if there is time for them.
INGLE_INLINE LineBest refined_line(const Target& in, float code_max, const Fit& known) {
    LineBest best = {known.scale, known.offset};
    const Span span = span_of(in.values, in.count, quant::magnitude_max);
    if (in.effort == 1 || span.range < quant::magnitude_min) return best;
    try_line_halves(in, code_max, broadcast(known.scale), broadcast(known.offset), best);
    float shifted[32];
    for (int i = 0; i < in.count; ++i) shifted[i] = in.values[i] - span.least;
    const ValueSums sums = value_sums(shifted, in.weights, in.count);
    const int steps = in.effort == 2 ? 4 : 24;
    for (int step = 0; step < steps; ++step) {
        const float below = 1.6f * spread(step, 0.618034f) - 0.5f;
        const LineTrials lines =
            try_lines(shifted, in.weights, in.count, code_max, quant::magnitude_max - span.least,
                      sums, span.range, below, 0.2f * spread(step, 0.754878f));
        try_line_halves(in, code_max, lines.scale, add(lines.offset, broadcast(span.least)), best);
    }
    return best;
}

LineBlock line_block(const Target& in, int code_max) {
    const Fit fit =
        fit_line(in.values, in.weights, in.count, float(code_max), quant::magnitude_max);
    const LineBest line = refined_line(in, float(code_max), fit);
    LineBlock block;
    block.scale = quant::to_finite_f16(line.scale);
    block.offset = quant::to_finite_f16(line.offset);
    const Floats inverted = inverse(broadcast(to_f32(block.scale)));
    const Floats offset = broadcast(to_f32(block.offset));
    float codes[32];
    for (int i = 0; i < 32; i += lanes) {
        const Floats x = mul(sub(load(in.values + i), offset), inverted);
        store(codes + i, rounded(clamped(x, 0, float(code_max))));
    }
    for (int i = 0; i < 32; ++i) block.codes[i] = uint8_t(codes[i]);
    return block;
}
