// Reads matrices piece by piece and packs them, with all threads.
#pragma once

#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/gemm/packed.h"
#include "base/function_ref.h"
#include "base/thread_pool.h"

namespace ingle::cpu {

// A matrix and where its packed form lies among those of all.
struct PlacedMatrix {
    const WeightSource* source = nullptr;
    PackedMatrix shape;  // without data
    uint64_t place = 0;  // bytes from the beginning, a multiple of 4096
};

// The first place behind a matrix.
uint64_t end_of(const PlacedMatrix& matrix);

// Packs everything into memory: what has place p at arena + p.
Status pack_into(std::byte* arena, std::span<const PlacedMatrix> matrices, ThreadPool& pool,
                 const backend::Progress& progress);

// Gives every packed piece away with its place, from several threads at once. Pieces begin and end at the same places
// each time; bytes between matrices belong to none.
using TakePiece = FunctionRef<Status(uint64_t place, std::span<const std::byte> piece)>;
Status pack_pieces(std::span<const PlacedMatrix> matrices, ThreadPool& pool,
                   const backend::Progress& progress, TakePiece take);

// The same pieces of what is packed already, in order of their places.
void each_piece(std::span<const PlacedMatrix> matrices,
                FunctionRef<void(uint64_t place, uint64_t bytes)> take);

}  // namespace ingle::cpu
