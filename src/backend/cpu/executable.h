// A compiled segment on the CPU: its values in one planned buffer, its steps run by a gang of threads.
#pragma once

#include <memory>
#include <vector>

#include "backend/cpu/kv_store.h"
#include "backend/cpu/step.h"
#include "base/thread_pool.h"
#include "graph/memory_plan.h"

namespace ingle::cpu {

struct ExecutionOptions {
    Isa isa = Isa::baseline;
    bool reference = false;  // plain references only
    int planes = 1;          // 2: about 16-bit activations
    int decode_threads = 0;  // for calls of one token; 0: the whole pool
    int prompt_threads = 0;  // for calls of more
    StorageOptions storage = {};
};

class CpuExecutable final : public backend::Executable {
  public:
    static Result<std::unique_ptr<CpuExecutable>> compile(const backend::Segment& segment,
                                                          const CpuWeights& weights,
                                                          CpuKvStore* kv, ThreadPool& pool,
                                                          const ExecutionOptions& options);
    ~CpuExecutable() override;

    backend::Event submit(const backend::Call& call) override;
    Status wait(backend::Event) override { return {}; }
    Status read(ValueId value, int64_t rows, float* out) override;
    Status write(ValueId value, int64_t rows, const float* in) override;
    const float* peek(ValueId value) const override { return address_of(value); }
    uint64_t activation_bytes() const override { return buffer_bytes_; }
    uint64_t scratch_bytes() const override;
    std::vector<std::string> describe() const override;

  private:
    void run_on(int thread, int threads, const backend::Call& call);
    // Pages that the call filled: no later query is in them.
    void close_full_pages(const backend::Call& call) const;
    float* address_of(ValueId value) const;
    StepInputs inputs_of(const Node& node, const backend::Segment& segment,
                         const CpuWeights& weights, CpuKvStore* kv,
                         const ExecutionOptions& options) const;

    ThreadPool* pool_ = nullptr;
    int decode_threads_ = 1;
    int prompt_threads_ = 1;
    std::vector<Value> values_;
    graph::MemoryPlan plan_;
    CpuKvStore* kv_ = nullptr;
    std::byte* buffer_ = nullptr;
    uint64_t buffer_bytes_ = 0;
    std::byte* scratch_ = nullptr;  // [threads][scratch_stride_]
    size_t scratch_stride_ = 0;
    std::byte* workspace_ = nullptr;
    uint64_t workspace_bytes_ = 0;
    std::vector<std::unique_ptr<Step>> steps_;
    // Of the phase before, the present and the next: a thread resets its part of the next while none of them is dealt.
    std::vector<TaskShares> shares_;
    uint64_t submissions_ = 0;
};

}  // namespace ingle::cpu
