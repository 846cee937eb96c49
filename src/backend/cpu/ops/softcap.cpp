// Softcap on the CPU: out = cap * tanh(x / cap).
#include "backend/cpu/ops/kernels/pointwise_step.h"

namespace ingle::cpu::entries {

namespace {

std::unique_ptr<Step> make(const StepInputs& inputs) {
    return std::make_unique<UnaryStep>(inputs, pointwise_kernels(inputs.isa).softcap,
                                       inputs.op<ops::Softcap>().cap);
}

}  // namespace

extern const StepMaker softcap;
const StepMaker softcap{.op = ops::Softcap::name, .make = make};

}  // namespace ingle::cpu::entries
