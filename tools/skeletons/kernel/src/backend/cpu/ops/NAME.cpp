// @Name@ on the CPU: one task for each block of rows.
#include "backend/cpu/step.h"

namespace ingle::cpu::entries {

namespace {

constexpr RowBlocks blocks = {.rows_per_task = 4};

class @Name@Step final : public Step {
  public:
    explicit @Name@Step(const StepInputs& inputs)
        : op_(inputs.op<ops::@Name@>()), in_(inputs.in[0]), out_(inputs.out[0]) {}

    int64_t tasks(int, const Batch& batch) const override {
        return blocks.tasks(batch.count(out_.rows));
    }

    void run(int, int64_t task, const RunState& state) override {
        const ConstMatrix in = in_.matrix(*state.batch);
        const Matrix out = out_.matrix(*state.batch);
        ops::Arguments arguments;
        arguments.in = {&in, 1};
        arguments.out = {&out, 1};
        ops::@Name@::reference(op_, arguments, blocks.range(task, out.rows));
    }

    std::string describe() const override { return "@name@"; }

  private:
    ops::@Name@ op_;
    Operand in_;
    Operand out_;
};

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<@Name@Step>(inputs);
}

}  // namespace

extern const StepMaker @name@;
const StepMaker @name@{.op = ops::@Name@::name, .make = make};

}  // namespace ingle::cpu::entries
