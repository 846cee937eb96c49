// Gated on the CPU: out = f(gate) * up.
#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

std::unique_ptr<Step> make(const StepInputs& inputs) {
    const ops::Activation function = inputs.op<ops::Gated>().function;
    if (!has_kernel(function)) return nullptr;
    return std::make_unique<BinaryStep>(inputs,
                                        pointwise_kernels(inputs.isa).gated[size_t(function)]);
}

}  // namespace

extern const StepMaker gated;
const StepMaker gated{.op = ops::Gated::name, .make = make};

}  // namespace ingle::cpu::entries
