#include "backend/cpu/device.h"

namespace ingle::cpu {

uint64_t CpuDevice::weight_bytes(const WeightSource& weight, const backend::WeightUse& use) const {
    return CpuWeights::need_of(weight, use, weight_options()).own;
}

uint64_t CpuDevice::mapped_weight_bytes(const WeightSource& weight,
                                        const backend::WeightUse& use) const {
    return CpuWeights::need_of(weight, use, weight_options()).mapped;
}

Result<std::unique_ptr<backend::Weights>> CpuDevice::prepare(
    std::span<const WeightSource> weights, std::span<const backend::WeightUse> uses,
    const backend::Progress& progress) {
    INGLE_ASSIGN(auto prepared, CpuWeights::outline(weights, uses, weight_options()));
    INGLE_TRY(prepared->load(pool_, progress));
    return std::unique_ptr<backend::Weights>(std::move(prepared));
}

Result<std::unique_ptr<backend::Weights>> CpuDevice::outline(
    std::span<const WeightSource> weights, std::span<const backend::WeightUse> uses) {
    INGLE_ASSIGN(auto outlined, CpuWeights::outline(weights, uses, weight_options()));
    return std::unique_ptr<backend::Weights>(std::move(outlined));
}

Result<std::unique_ptr<backend::KvStore>> CpuDevice::make_kv(const backend::KvLayout& layout) {
    INGLE_ASSIGN(auto store, CpuKvStore::make(layout));
    return std::unique_ptr<backend::KvStore>(std::move(store));
}

// Weights and cache were made by this device, so their types are known.
Result<std::unique_ptr<backend::Executable>> CpuDevice::compile(const backend::Segment& segment,
                                                                const backend::Weights& weights,
                                                                backend::KvStore* kv) {
    INGLE_ASSIGN(auto executable,
                 CpuExecutable::compile(segment, static_cast<const CpuWeights&>(weights),
                                        static_cast<CpuKvStore*>(kv), pool_, options_));
    return std::unique_ptr<backend::Executable>(std::move(executable));
}

}  // namespace ingle::cpu
