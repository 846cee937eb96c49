// Scale on the CPU: out = factor * x.
#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<UnaryStep>(inputs, pointwise_kernels(inputs.isa).scale,
                                       inputs.op<ops::Scale>().factor);
}

}  // namespace

extern const StepMaker scale;
const StepMaker scale{.op = ops::Scale::name, .make = make};

}  // namespace ingle::cpu::entries
