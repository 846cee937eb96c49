// Activations from rows that do not lie side by side, or that are made just before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/gemm/activations.h"

namespace ingle::cpu {

// Floats that gathering needs, of each thread.
size_t gathered_floats(const Activations& shape);

// Tokens of each of fill_task_count() tasks but the last.
int64_t fill_task_tokens(const Activations& activations);

// As fill_activations(), but token t is row rows[t] of x. `gathered` is memory for gathered_floats().
void fill_gathered(const Activations& activations, int64_t task, const float* x, int64_t stride,
                   const int32_t* rows, float* gathered);
// From rows side by side; task i takes tokens from i * fill_task_tokens() on.
void fill_tokens(const Activations& activations, int64_t task, const float* x, int64_t stride);

}  // namespace ingle::cpu
