// Mul on the CPU: out = a * b.
#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<BinaryStep>(inputs, pointwise_kernels(inputs.isa).mul);
}

}  // namespace

extern const StepMaker mul;
const StepMaker mul{.op = ops::Mul::name, .make = make};

}  // namespace ingle::cpu::entries
