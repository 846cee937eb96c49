// Rope on the CPU: the sines of a token are computed once and serve all its heads.
#include <algorithm>

#include "backend/cpu/ops/kernels/pointwise_step.h"
#include "backend/cpu/ops/kernels/rotate.h"

namespace ingle::cpu::entries {

namespace {

class RopeStep final : public Step {
  public:
    explicit RopeStep(const StepInputs& inputs)
        : op_(inputs.op<ops::Rope>()),
          kernels_(rotate_kernels(inputs.isa)),
          x_(inputs.in[0]),
          out_(inputs.out[0]),
          frequency_(inputs.weights[0]->values.data()),
          blocks_(row_blocks(x_.columns)) {}

    int64_t tasks(int, const Batch& batch) const override {
        return blocks_.tasks(batch.count(out_.rows));
    }

    void run(int, int64_t task, const RunState& state) override {
        const ops::RowRange rows = blocks_.range(task, state.batch->count(out_.rows));
        for (int64_t r = rows.begin; r < rows.end; ++r) rotate_row(r, state);
    }

    size_t scratch_bytes() const override { return size_t(op_.rotary) * sizeof(float); }

    std::string describe() const override {
        return cat("rope ", op_.rotary, op_.interleaved ? " neighbours" : " halves");
    }

  private:
    void rotate_row(int64_t r, const RunState& state) const {
        const int64_t half = op_.rotary / 2;
        float* const cosine = reinterpret_cast<float*>(state.scratch.data);
        float* const sine = cosine + half;
        kernels_.make_table(float(state.batch->position(out_.rows, r)), frequency_, op_.magnitude,
                            half, cosine, sine);
        const auto rotate = op_.interleaved ? kernels_.neighbours : kernels_.halves;
        const float* x = x_.data + r * x_.columns;
        float* out = out_.data + r * out_.columns;
        for (int64_t head = 0; head < x_.columns; head += op_.head_dim) {
            rotate(x + head, cosine, sine, half, out + head);
            std::copy(x + head + op_.rotary, x + head + op_.head_dim, out + head + op_.rotary);
        }
    }

    ops::Rope op_;
    const RotateKernels& kernels_;
    Operand x_;
    Operand out_;
    const float* frequency_;
    RowBlocks blocks_;
};

std::unique_ptr<Step> make(const StepInputs& inputs) { return std::make_unique<RopeStep>(inputs); }

}  // namespace

extern const StepMaker rope;
const StepMaker rope{.op = ops::Rope::name, .make = make};

}  // namespace ingle::cpu::entries
