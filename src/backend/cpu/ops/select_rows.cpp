// SelectRows on the CPU: copies of rows.
#include <algorithm>

#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

class SelectRowsStep final : public Step {
  public:
    explicit SelectRowsStep(const StepInputs& inputs)
        : x_(inputs.in[0]), out_(inputs.out[0]), blocks_(row_blocks(x_.columns)) {}

    int64_t tasks(int, const Batch& batch) const override {
        return blocks_.tasks(batch.count(out_.rows));
    }

    void run(int, int64_t task, const RunState& state) override {
        const ops::RowRange rows = blocks_.range(task, state.batch->count(out_.rows));
        for (int64_t r = rows.begin; r < rows.end; ++r)
            std::copy_n(x_.data + state.batch->outputs[size_t(r)] * x_.columns, x_.columns,
                        out_.data + r * out_.columns);
    }

    std::string describe() const override { return "select_rows"; }

  private:
    Operand x_;
    Operand out_;
    RowBlocks blocks_;
};

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<SelectRowsStep>(inputs);
}

}  // namespace

extern const StepMaker select_rows;
const StepMaker select_rows{.op = ops::SelectRows::name, .make = make};

}  // namespace ingle::cpu::entries
