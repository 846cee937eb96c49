// The processor as a device. One pool serves all models; the kernels follow the instruction set.
#pragma once

#include "backend/cpu/executable.h"

namespace ingle::cpu {

class CpuDevice final : public backend::Device {
  public:
    // `pool` must outlive the device and everything made by it.
    CpuDevice(ThreadPool& pool, const ExecutionOptions& options) : pool_(pool), options_(options) {}

    std::string_view name() const override { return "CPU"; }
    bool accepts(const Node&, std::span<const WeightSource>) const override { return true; }
    uint64_t weight_bytes(const WeightSource& weight, const backend::WeightUse& use) const override;
    uint64_t mapped_weight_bytes(const WeightSource& weight,
                                 const backend::WeightUse& use) const override;
    Result<std::unique_ptr<backend::Weights>> prepare(std::span<const WeightSource> weights,
                                                      std::span<const backend::WeightUse> uses,
                                                      const backend::Progress& progress) override;
    Result<std::unique_ptr<backend::Weights>> outline(
        std::span<const WeightSource> weights, std::span<const backend::WeightUse> uses) override;
    Result<std::unique_ptr<backend::KvStore>> make_kv(const backend::KvLayout& layout) override;
    Result<std::unique_ptr<backend::Executable>> compile(const backend::Segment& segment,
                                                         const backend::Weights& weights,
                                                         backend::KvStore* kv) override;

  private:
    CpuWeights::Options weight_options() const {
        return {options_.reference, options_.isa, options_.storage};
    }

    ThreadPool& pool_;
    ExecutionOptions options_;
};

}  // namespace ingle::cpu
