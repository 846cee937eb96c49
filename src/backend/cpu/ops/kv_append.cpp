// KvAppend on the CPU: a token's keys are converted, then spread over the slots of its column;
// its values lie together.
#include <algorithm>

#include "backend/cpu/ops/kernels/copy.h"
#include "backend/cpu/step.h"

namespace ingle::cpu::entries {

namespace {

class KvAppendStep final : public Step {
  public:
    explicit KvAppendStep(const StepInputs& inputs)
        : op_(inputs.op<ops::KvAppend>()),
          kernels_(copy_kernels(inputs.isa)),
          key_(inputs.in[0]),
          value_(inputs.in[1]),
          kv_(inputs.kv) {}

    int64_t tasks(int, const Batch& batch) const override {
        return blocks_.tasks(batch.count(key_.rows));
    }

    void run(int, int64_t task, const RunState& state) override {
        const ops::RowRange rows = blocks_.range(task, state.batch->count(key_.rows));
        const SequenceRows* sequence = &state.batch->sequence(key_.rows, rows.begin);
        KvView kv = kv_;
        for (int64_t r = rows.begin; r < rows.end; ++r) {
            while (r >= sequence->end(key_.rows)) ++sequence;
            kv.table = sequence->pages.data();
            const int64_t token = state.batch->position(key_.rows, r);
            std::byte* const page = kv.page(token);
            const int64_t slot = token % kv.page_tokens;
            for (int64_t head = 0; head < op_.kv_heads; ++head) {
                put_key(key_.data + r * key_.columns + head * op_.key_dim, kv.keys(page, head),
                        slot, state);
                put_value(value_.data + r * value_.columns + head * op_.value_dim,
                          kv.values(page, head), slot);
            }
        }
    }

    size_t scratch_bytes() const override { return size_t(op_.key_dim) * sizeof(f16); }

    std::string describe() const override {
        return cat("kv_append ", op_.kv_heads, " x ", op_.key_dim);
    }

  private:
    // keys [key_dim, page_tokens]
    void put_key(const float* x, std::byte* keys, int64_t slot, const RunState& state) const {
        if (kv_.key_type == KvType::f32) {
            float* const out = reinterpret_cast<float*>(keys) + slot;
            for (int64_t d = 0; d < op_.key_dim; ++d) out[d * kv_.page_tokens] = x[d];
            return;
        }
        f16* const halves = reinterpret_cast<f16*>(state.scratch.data);
        kernels_.to_half(x, op_.key_dim, halves);
        f16* const out = reinterpret_cast<f16*>(keys) + slot;
        for (int64_t d = 0; d < op_.key_dim; ++d) out[d * kv_.page_tokens] = halves[d];
    }

    // values [page_tokens, value_dim]
    void put_value(const float* x, std::byte* values, int64_t slot) const {
        const int64_t at = slot * op_.value_dim;
        if (kv_.value_type == KvType::f32)
            std::copy_n(x, op_.value_dim, reinterpret_cast<float*>(values) + at);
        else kernels_.to_half(x, op_.value_dim, reinterpret_cast<f16*>(values) + at);
    }

    ops::KvAppend op_;
    const CopyKernels& kernels_;
    Operand key_;
    Operand value_;
    KvView kv_;
    RowBlocks blocks_{32};  // about a page, so that tasks seldom write to the same cache line
};

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<KvAppendStep>(inputs);
}

}  // namespace

extern const StepMaker kv_append;
const StepMaker kv_append{.op = ops::KvAppend::name, .make = make};

}  // namespace ingle::cpu::entries
