// Steps that apply a pointwise kernel to whole rows.
#pragma once

#include "backend/cpu/ops/kernels/pointwise.h"
#include "backend/cpu/step.h"

namespace ingle::cpu {

// Rows whose elements are `columns` each, so many to a task that it is worth claiming. One row is
// always one task.
inline RowBlocks row_blocks(int64_t columns) {
    constexpr int64_t elements_per_task = 16384;
    return {std::max<int64_t>(1, elements_per_task / std::max<int64_t>(1, columns))};
}

class PointwiseStep : public Step {
  public:
    explicit PointwiseStep(const StepInputs& inputs)
        : name_(op_name(inputs.node->op)),
          out_(inputs.out[0]),
          blocks_(row_blocks(out_.columns)) {}

    int64_t tasks(int, const Batch& batch) const override {
        return blocks_.tasks(batch.count(out_.rows));
    }
    std::string describe() const override { return std::string(name_); }

  protected:
    // Elements of all rows lie side by side: those of a task, [begin, end).
    ops::RowRange elements(int64_t task, const Batch& batch) const {
        const ops::RowRange rows = blocks_.range(task, batch.count(out_.rows));
        return {rows.begin * out_.columns, rows.end * out_.columns};
    }
    Operand out() const { return out_; }

  private:
    std::string_view name_;
    Operand out_;
    RowBlocks blocks_;
};

class UnaryStep final : public PointwiseStep {
  public:
    UnaryStep(const StepInputs& inputs, PointwiseKernels::Unary kernel, float parameter)
        : PointwiseStep(inputs), kernel_(kernel), x_(inputs.in[0].data), parameter_(parameter) {}

    void run(int, int64_t task, const RunState& state) override {
        const ops::RowRange range = elements(task, *state.batch);
        kernel_(x_ + range.begin, parameter_, range.end - range.begin, out().data + range.begin);
    }

  private:
    PointwiseKernels::Unary kernel_;
    const float* x_;
    float parameter_;
};

class BinaryStep final : public PointwiseStep {
  public:
    BinaryStep(const StepInputs& inputs, PointwiseKernels::Binary kernel)
        : PointwiseStep(inputs), kernel_(kernel), a_(inputs.in[0].data), b_(inputs.in[1].data) {}

    void run(int, int64_t task, const RunState& state) override {
        const ops::RowRange range = elements(task, *state.batch);
        kernel_(a_ + range.begin, b_ + range.begin, range.end - range.begin,
                out().data + range.begin);
    }

  private:
    PointwiseKernels::Binary kernel_;
    const float* a_;
    const float* b_;
};

}  // namespace ingle::cpu
