// The scalar activation functions, exact to rounding.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

namespace ingle::ops {

enum class Activation : uint8_t { silu, gelu_tanh };

inline std::string_view to_string(Activation a) {
    return a == Activation::silu ? "silu" : "gelu_tanh";
}

// x * sigmoid(x) (Elfwing et al. 2017)
inline float silu(float x) { return x / (1 + std::exp(-x)); }

// The tanh form of GELU (Hendrycks, Gimpel 2016)
inline float gelu_tanh(float x) {
    constexpr float root_two_over_pi = 0.7978845608028654f;
    return 0.5f * x * (1 + std::tanh(root_two_over_pi * (x + 0.044715f * x * x * x)));
}

inline float apply(Activation a, float x) {
    return a == Activation::silu ? silu(x) : gelu_tanh(x);
}

}  // namespace ingle::ops
