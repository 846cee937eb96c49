// KvAppend on the CPU: a token's keys are turned and converted, then spread over the slots of its column; its values lie
// together. Halves, which are every cache's own or its exact form, are converted by vector kernels.
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
          kv_(inputs.kv),
          key_rotation_(kv_.key_rotation()),
          value_rotation_(kv_.value_rotation()) {}

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
            for (int64_t head = 0; head < op_.kv_heads; ++head) {
                put_key(key_.data + r * key_.columns + head * op_.key_dim, kv, token, head, state);
                put_value(value_.data + r * value_.columns + head * op_.value_dim, kv, token, head,
                          state);
            }
        }
    }

    // A turned row and its halves.
    size_t scratch_bytes() const override {
        return size_t(std::max(op_.key_dim, op_.value_dim)) * (sizeof(float) + sizeof(f16));
    }

    std::string describe() const override {
        return cat("kv_append ", op_.kv_heads, " x ", op_.key_dim);
    }

  private:
    // The row, turned as it is stored.
    static const float* turned(const float* x, int64_t dim, int64_t rotation,
                               const RunState& state) {
        if (rotation == 1) return x;
        float* const row = reinterpret_cast<float*>(state.scratch.data);
        std::copy_n(x, dim, row);
        hadamard_rows(row, dim, rotation);
        return row;
    }
    // As halves, after the turned row.
    const f16* halves(const float* x, int64_t dim, const RunState& state) const {
        f16* const out = reinterpret_cast<f16*>(
            state.scratch.data + size_t(std::max(op_.key_dim, op_.value_dim)) * sizeof(float));
        kernels_.to_half(x, dim, out);
        return out;
    }

    void put_key(const float* x, const KvView& kv, int64_t token, int64_t head,
                 const RunState& state) const {
        const float* const row = turned(x, op_.key_dim, key_rotation_, state);
        const int64_t slot = token % kv.page_tokens;
        if (kv.key_type != KvType::f16) kv.keys(kv.page(token), head).put_key(slot, row);
        if (kv.key_type != KvType::f16 && !kv.keys_have_exact()) return;
        const KvView whole = kv.keys_have_exact() ? kv.exact() : kv;
        f16* const out = reinterpret_cast<f16*>(whole.keys(whole.page(token), head).data) + slot;
        const f16* const half = halves(row, op_.key_dim, state);
        for (int64_t d = 0; d < op_.key_dim; ++d) out[d * kv.page_tokens] = half[d];
    }

    void put_value(const float* x, const KvView& kv, int64_t token, int64_t head,
                   const RunState& state) const {
        const float* const row = turned(x, op_.value_dim, value_rotation_, state);
        const int64_t slot = token % kv.page_tokens;
        if (kv.value_type != KvType::f16) kv.values(kv.page(token), head).put_value(slot, row);
        if (kv.value_type != KvType::f16 && !kv.values_have_exact()) return;
        const KvView whole = kv.values_have_exact() ? kv.exact() : kv;
        f16* const out = reinterpret_cast<f16*>(whole.values(whole.page(token), head).data);
        kernels_.to_half(row, op_.value_dim, out + slot * op_.value_dim);
    }

    ops::KvAppend op_;
    const CopyKernels& kernels_;
    Operand key_;
    Operand value_;
    KvView kv_;
    int64_t key_rotation_;
    int64_t value_rotation_;
    RowBlocks blocks_{32};  // about a page, so that tasks seldom write to the same cache line
};

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<KvAppendStep>(inputs);
}

}  // namespace

extern const StepMaker kv_append;
const StepMaker kv_append{.op = ops::KvAppend::name, .make = make};

}  // namespace ingle::cpu::entries
