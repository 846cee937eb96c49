// Rope: rotates pairs of every head by an angle linear in the token's position.
//
//   angle[i] = position * frequency[i],  i < rotary/2
//   (a, b)  -> magnitude * (a cos - b sin, a sin + b cos)
//
// Pairs are (2i, 2i+1) when interleaved, else (i, i + rotary/2). Columns of a head from `rotary` on pass through.
// in: x [rows, heads * head_dim]; weights: frequency [rotary/2], which carries every scaling (linear, NTK, YaRN,
// llama3). (Su et al. 2021)
#pragma once

#include <cmath>

#include "ops/support/arguments.h"

namespace ingle::ops {

struct Rope {
    static constexpr std::string_view name = "rope";
    int64_t head_dim = 0;
    int64_t rotary = 0;
    bool interleaved = false;
    float magnitude = 1;

    static void reference(const Rope& op, const Arguments& a, RowRange rows) {
        const int64_t half = op.rotary / 2;
        std::vector<float> frequency(size_t(half), 0.0f);
        a.weights[0]->decode_row(0, frequency.data());
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            const float position = float(a.batch->position(a.rows, r));
            for (int64_t head = 0; head < a.in[0].columns; head += op.head_dim) {
                const float* x = a.in[0].row(r).data() + head;
                float* out = a.out[0].row(r).data() + head;
                for (int64_t i = 0; i < half; ++i) {
                    const float angle = position * frequency[size_t(i)];
                    const float cosine = std::cos(angle) * op.magnitude;
                    const float sine = std::sin(angle) * op.magnitude;
                    const int64_t first = op.interleaved ? 2 * i : i;
                    const int64_t second = op.interleaved ? 2 * i + 1 : i + half;
                    const float p = x[first];
                    const float q = x[second];
                    out[first] = p * cosine - q * sine;
                    out[second] = p * sine + q * cosine;
                }
                for (int64_t d = op.rotary; d < op.head_dim; ++d) out[d] = x[d];
            }
        }
    }
};

}  // namespace ingle::ops
