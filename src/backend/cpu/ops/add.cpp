// Add on the CPU: out = a + b.
#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<BinaryStep>(inputs, pointwise_kernels(inputs.isa).add);
}

}  // namespace

extern const StepMaker add;
const StepMaker add{.op = ops::Add::name, .make = make};

}  // namespace ingle::cpu::entries
