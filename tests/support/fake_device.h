// A device for tests, as unlike the CPU as the contract allows: its memory cannot be touched by the host outside
// read(), write() and a submission (the pages are protected), it runs only some ops and formats, and says so.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "backend/backend.h"

namespace ingle::test {

class FakeDevice final : public backend::Device {
  public:
    // Runs the ops named, with weights of the formats named (empty: all).
    FakeDevice(std::set<std::string> ops, std::set<std::string> formats)
        : ops_(std::move(ops)), formats_(std::move(formats)) {}

    std::string_view name() const override { return "fake"; }
    bool accepts(const Node& node, std::span<const WeightSource> weights) const override;
    uint64_t weight_bytes(const WeightSource& weight, const backend::WeightUse&) const override {
        return weight.bytes_total();
    }
    Result<std::unique_ptr<backend::Weights>> prepare(std::span<const WeightSource> weights,
                                                      std::span<const backend::WeightUse> uses,
                                                      const backend::Progress& progress) override;
    Result<std::unique_ptr<backend::KvStore>> make_kv(const backend::KvLayout& layout) override;
    Result<std::unique_ptr<backend::Executable>> compile(const backend::Segment& segment,
                                                         const backend::Weights& weights,
                                                         backend::KvStore* kv) override;

    // Nodes run since it was made.
    int64_t nodes_run = 0;

  private:
    std::set<std::string> ops_;
    std::set<std::string> formats_;
};

}  // namespace ingle::test
