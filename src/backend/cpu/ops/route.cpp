// Route on the CPU: rows in blocks, with a thread's memory for the probabilities.
#include "backend/cpu/step.h"

namespace ingle::cpu::entries {

namespace {

constexpr int64_t experts_per_task = 2048;  // a row has one probability for each of its experts

class RouteStep final : public Step {
  public:
    explicit RouteStep(const StepInputs& inputs)
        : op_(inputs.op<ops::Route>()),
          x_(inputs.in[0]),
          out_(inputs.out[0]),
          bias_(inputs.weights[0] == nullptr ? nullptr : inputs.weights[0]->values.data()),
          blocks_{std::max<int64_t>(1, experts_per_task / x_.columns)} {}

    int64_t tasks(int, const Batch& batch) const override {
        return blocks_.tasks(batch.count(out_.rows));
    }

    void run(int, int64_t task, const RunState& state) override {
        const ops::RowRange rows = blocks_.range(task, state.batch->count(out_.rows));
        float* const p = reinterpret_cast<float*>(state.scratch.data);
        for (int64_t r = rows.begin; r < rows.end; ++r)
            ops::Route::choose(op_, {x_.data + r * x_.columns, size_t(x_.columns)}, bias_, p,
                               p + x_.columns, out_.data + r * out_.columns);
    }

    size_t scratch_bytes() const override { return size_t(2 * x_.columns) * sizeof(float); }

    std::string describe() const override {
        return cat("route ", op_.used, " of ", x_.columns,
                   op_.gating == ops::Gating::softmax ? " softmax" : " sigmoid");
    }

  private:
    ops::Route op_;
    Operand x_;
    Operand out_;
    const float* bias_;
    RowBlocks blocks_;
};

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<RouteStep>(inputs);
}

}  // namespace

extern const StepMaker route;
const StepMaker route{.op = ops::Route::name, .make = make};

}  // namespace ingle::cpu::entries
