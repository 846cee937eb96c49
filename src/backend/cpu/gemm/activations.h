// The activations of a matrix product, in the order the kernels read them; made once, used by every
// product with the same input (query, key and value; gate and up).
//
//   int8:  x[k] ~ scale[b] * code[k], one f32 scale per block b of 32 columns, codes -127..127.
//          With two planes the second holds what the first left over, quantized the same way:
//          about 16 bits.
//   f32:   x[k] as it is
//
// Tokens lie in tiles of `tile` (the last tile narrower); a row of one plane is a column of a tile.
//   int8 tile of w:  codes [k / 4][w][4], then per block a head, see kernel.h
//   f32 tile of w:   values [k][w]
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/simd/isa.h"

namespace ingle::cpu {

enum class ActivationKind : uint8_t { f32, int8 };

// A view of activations; the memory is the caller's.
struct Activations {
    ActivationKind kind = ActivationKind::f32;
    Isa isa = Isa::baseline;  // of the kernels that will read them
    int planes = 1;           // 1, or 2 for about 16-bit activations (int8 only)
    int64_t columns = 0;      // values per token
    int64_t tokens = 0;
    std::byte* data = nullptr;  // 64-byte aligned, activation_bytes() long
};

// Bytes that `data` needs. Grows with `tokens`, so a buffer for the largest batch serves all.
size_t activation_bytes(const Activations& shape);

// How many pieces the tokens are divided into for filling; pieces share no cache line.
int64_t fill_task_count(const Activations& activations);
// Fills piece `task` from x [tokens, columns], rows `stride` floats apart. Pieces may be filled by
// several threads. What is stored of a token depends on nothing but its own row: NaN or infinity
// make that block's products NaN.
void fill_activations(const Activations& activations, int64_t task, const float* x, int64_t stride);

}  // namespace ingle::cpu
