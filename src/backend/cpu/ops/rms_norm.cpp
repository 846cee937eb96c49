// RmsNorm on the CPU: rows, or heads of rows, in blocks.
#include "backend/cpu/ops/kernels/rms_norm.h"

#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

class RmsNormStep final : public Step {
  public:
    explicit RmsNormStep(const StepInputs& inputs)
        : op_(inputs.op<ops::RmsNorm>()),
          kernels_(rms_norm_kernels(inputs.isa)),
          x_(inputs.in[0]),
          out_(inputs.out[0]),
          weight_(inputs.weights[0]->values.data()),
          blocks_(row_blocks(x_.columns)) {}

    int64_t tasks(int, const Batch& batch) const override {
        return blocks_.tasks(batch.count(out_.rows));
    }

    void run(int, int64_t task, const RunState& state) override {
        const ops::RowRange rows = blocks_.range(task, state.batch->count(out_.rows));
        for (int64_t at = rows.begin * x_.columns; at < rows.end * x_.columns; at += op_.group)
            kernels_.normalize(x_.data + at, weight_, op_.group, op_.eps, out_.data + at);
    }

    std::string describe() const override { return cat("rms_norm ", op_.group); }

  private:
    ops::RmsNorm op_;
    const RmsNormKernels& kernels_;
    Operand x_;
    Operand out_;
    const float* weight_;
    RowBlocks blocks_;
};

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<RmsNormStep>(inputs);
}

}  // namespace

extern const StepMaker rms_norm;
const StepMaker rms_norm{.op = ops::RmsNorm::name, .make = make};

}  // namespace ingle::cpu::entries
