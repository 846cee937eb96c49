// Weights as the CPU keeps them: matrices as StorageOptions say, tables left in the mapped file, vectors as f32.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/gemm/packed.h"
#include "backend/cpu/packer.h"
#include "backend/cpu/storage.h"
#include "base/thread_pool.h"

namespace ingle::cpu {

struct PreparedWeight {
    const WeightSource* source = nullptr;
    PackedMatrix packed;        // kernel null unless multiplied by fast kernels
    std::vector<float> values;  // [rows * columns] if read whole

    // Row r of a table as f32: from the packed form if there is one, else from the file.
    void look_up(int64_t r, float* out) const {
        if (packed.data != nullptr) decode_row(packed, r, out);
        else source->decode_row(r, out);
    }
};

// What keeping a weight takes: memory of its own, and bytes of files that are used where they are mapped.
struct WeightNeed {
    uint64_t own = 0;
    uint64_t mapped = 0;
};

class CpuWeights final : public backend::Weights {
  public:
    struct Options {
        bool reference = false;  // leave matrices in the file, for plain references
        Isa isa = Isa::baseline;
        StorageOptions storage = {};
    };
    static WeightNeed need_of(const WeightSource& source, const backend::WeightUse& use,
                              const Options& options);

    // Vectors are read, and the place of each matrix is settled.
    static Result<std::unique_ptr<CpuWeights>> outline(std::span<const WeightSource> weights,
                                                       std::span<const backend::WeightUse> uses,
                                                       const Options& options);
    // Makes the matrices ready, with all threads of the pool.
    Status load(ThreadPool& pool, const backend::Progress& progress);
    ~CpuWeights() override;

    uint64_t bytes() const override;
    uint64_t mapped_bytes() const override;
    Status intact() const override;
    const PreparedWeight& at(WeightId id) const { return prepared_[size_t(id)]; }
    // Working memory that a thread needs for products with any of these matrices.
    size_t scratch_bytes() const { return scratch_bytes_; }

  private:
    bool wants_cache() const { return !options_.storage.repack_cache.empty(); }
    Status map_from_cache(ThreadPool& pool, const backend::Progress& progress);
    Status reserve();
    void point_into(const std::byte* data);
    void expect_file_pages() const;

    Options options_;
    std::vector<PreparedWeight> prepared_;  // by weight id
    std::vector<PlacedMatrix> matrices_;    // that are kept packed
    std::vector<WeightId> matrix_ids_;
    std::byte* arena_ = nullptr;
    uint64_t packed_bytes_ = 0;  // of the matrices, with gaps
    uint64_t in_file_bytes_ = 0;
    uint64_t value_bytes_ = 0;
    size_t scratch_bytes_ = 0;
    std::optional<MappedFile> cache_;
    bool without_cache_ = false;  // wanted, but not to be had
};

}  // namespace ingle::cpu
