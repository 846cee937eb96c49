// Activate on the CPU: out = f(x).
#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

std::unique_ptr<Step> make(const StepInputs& inputs) {
    const ops::Activation function = inputs.op<ops::Activate>().function;
    if (!has_kernel(function)) return nullptr;
    return std::make_unique<UnaryStep>(
        inputs, pointwise_kernels(inputs.isa).activate[size_t(function)], 0.0f);
}

}  // namespace

extern const StepMaker activate;
const StepMaker activate{.op = ops::Activate::name, .make = make};

}  // namespace ingle::cpu::entries
