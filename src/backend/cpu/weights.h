// Weights as the CPU keeps them: matrices packed into one arena, tables left in the mapped file, vectors as f32.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/gemm/packed.h"
#include "base/thread_pool.h"

namespace ingle::cpu {

struct PreparedWeight {
    const WeightSource* source = nullptr;
    PackedMatrix packed;        // kernel null unless multiplied by fast kernels
    std::vector<float> values;  // [rows * columns] if read whole

    // Row r of a table as f32: from the packed form if there is one, else from the file.
    void look_up(int64_t r, float* out) const {
        if (packed.kernel != nullptr) decode_row(packed, r, out);
        else source->decode_row(r, out);
    }
};

class CpuWeights final : public backend::Weights {
  public:
    // Vectors are read, and the place of each matrix is settled, unless `reference` leaves them in the file; `isa` decides
    // for which kernels they will be packed.
    static Result<std::unique_ptr<CpuWeights>> outline(std::span<const WeightSource> weights,
                                                       std::span<const backend::WeightUse> uses,
                                                       bool reference, Isa isa);
    // Reads and packs the matrices with all threads of the pool.
    Status pack_all(ThreadPool& pool, const backend::Progress& progress);
    ~CpuWeights() override;

    uint64_t bytes() const override { return arena_bytes_ + value_bytes_; }
    const PreparedWeight& at(WeightId id) const { return prepared_[size_t(id)]; }

  private:
    Status reserve();

    std::vector<PreparedWeight> prepared_;  // by weight id
    std::byte* arena_ = nullptr;
    uint64_t arena_bytes_ = 0;
    uint64_t value_bytes_ = 0;
};

}  // namespace ingle::cpu
