#include "models/support/rope_frequencies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ingle::models {

namespace {

constexpr float base_default = 10000;
constexpr float base_max = 1e12f;
constexpr float factor_max = 1e6f;

// The pair whose wavelength makes `rotations` turns within the original context.
double pair_of(double rotations, double context, double base, double rotary) {
    return rotary * std::log(context / (rotations * 2 * std::numbers::pi)) / (2 * std::log(base));
}

// Pairs that turn often keep their frequency, slow ones are stretched by the factor, with a ramp between.
void apply_yarn(Loader& w, double base, double factor, int64_t rotary, RopeFrequencies& f) {
    const double context = double(w.integer_or("rope.scaling.original_context_length",
                                               w.integer_or("context_length", 4096, 1, 1 << 30), 1,
                                               1 << 30));
    const double beta_fast = double(w.real_or("rope.scaling.yarn_beta_fast", 32, 0.001f, 1e6f));
    const double beta_slow = double(w.real_or("rope.scaling.yarn_beta_slow", 1, 0.001f, 1e6f));
    const double attention = double(w.real_or("rope.scaling.attn_factor", 1, 0, 1e6f));
    const double last = double(rotary - 1);
    const double low =
        std::clamp(std::floor(pair_of(beta_fast, context, base, double(rotary))), 0.0, last);
    const double high =
        std::clamp(std::ceil(pair_of(beta_slow, context, base, double(rotary))), 0.0, last);
    for (size_t i = 0; i < f.values.size(); ++i) {
        const double ramp = std::clamp((double(i) - low) / std::max(0.001, high - low), 0.0, 1.0);
        const double plain = double(f.values[i]);
        f.values[i] = float(plain / factor * ramp + plain * (1 - ramp));
    }
    f.magnitude = float(attention * (factor > 1 ? 0.1 * std::log(factor) + 1 : 1.0));
}

}  // namespace

RopeFrequencies plain_frequencies(float base, int64_t rotary) {
    RopeFrequencies f;
    for (int64_t i = 0; i < rotary / 2; ++i)
        f.values.push_back(float(std::pow(double(base), -2.0 * double(i) / double(rotary))));
    return f;
}

RopeFrequencies scaled_frequencies(Loader& w, int64_t head_dim) {
    const int64_t rotary = w.integer_or("rope.dimension_count", head_dim, 2, head_dim);
    const float base = w.real_or("rope.freq_base", base_default, 1, base_max);
    RopeFrequencies f = plain_frequencies(base, rotary);

    const std::string_view kind = w.text_or("rope.scaling.type", "");
    const float old_factor = w.real_or("rope.scale_linear", 1, 0, factor_max);
    const float factor = w.real_or("rope.scaling.factor", old_factor, 0, factor_max);
    if (kind == "yarn" && factor > 0) {
        apply_yarn(w, double(base), double(factor), rotary, f);
    } else if (kind == "linear" || kind.empty()) {
        if (factor > 0)
            for (float& value : f.values) value /= factor;
    } else if (kind != "none" && kind != "longrope") {
        w.fault(cat("missing or impossible hyper-parameter '", w.architecture(),
                    ".rope.scaling.type': expected none, linear, yarn or longrope, found ",
                    quoted(kind)));
    }
    if (w.has_tensor("rope_freqs.weight")) {
        const WeightId id = w.vector("rope_freqs", rotary / 2);
        if (!w.status().ok()) return f;
        std::vector<float> divisors(f.values.size());
        w.builder().graph().weights[size_t(id)].decode_row(0, divisors.data());
        for (size_t i = 0; i < f.values.size(); ++i) f.values[i] /= divisors[i];
    }
    return f;
}

}  // namespace ingle::models
