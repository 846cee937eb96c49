// GateRows on the CPU.
#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

class GateRowsStep final : public Step {
  public:
    explicit GateRowsStep(const StepInputs& inputs)
        : scale_(pointwise_kernels(inputs.isa).scale),
          x_(inputs.in[0]),
          gate_(inputs.in[1]),
          out_(inputs.out[0]),
          blocks_(row_blocks(x_.columns)) {}

    int64_t tasks(int, const Batch& batch) const override {
        return blocks_.tasks(batch.count(out_.rows));
    }

    void run(int, int64_t task, const RunState& state) override {
        const ops::RowRange rows = blocks_.range(task, state.batch->count(out_.rows));
        for (int64_t r = rows.begin; r < rows.end; ++r)
            scale_(x_.data + r * x_.columns, ops::GateRows::open(gate_.data[r * gate_.columns]),
                   x_.columns, out_.data + r * out_.columns);
    }

    std::string describe() const override { return "gate_rows"; }

  private:
    PointwiseKernels::Unary scale_;
    Operand x_;
    Operand gate_;
    Operand out_;
    RowBlocks blocks_;
};

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<GateRowsStep>(inputs);
}

}  // namespace

extern const StepMaker gate_rows;
const StepMaker gate_rows{.op = ops::GateRows::name, .make = make};

}  // namespace ingle::cpu::entries
