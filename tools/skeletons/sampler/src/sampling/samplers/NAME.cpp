// @Name@ (source): what it keeps or changes.
//   its equation
#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

class @Name@ final : public SamplerOf<@Name@> {
  public:
    explicit @Name@(double strength) : strength_(float(strength)) {}

    void apply(Candidates& candidates) override {
        for (float& logit : candidates.edit_logits()) logit *= strength_;
    }

  private:
    float strength_;
};

std::vector<Option> options() {
    return {{.name = "@name@", .flags = "--@flag@", .placeholder = "X", .default_value = 1.0,
             .help = "what X does (1 = off)", .min = 0, .max = 100}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const double strength = setup.options.real("@name@");
    if (strength == 1) return std::unique_ptr<Sampler>();
    return std::unique_ptr<Sampler>(std::make_unique<@Name@>(strength));
}

}  // namespace

namespace entries {
extern const SamplerKind @name@;
// A letter and a place in the order that no other file has; 0: only where the user's order names it.
const SamplerKind @name@ = {.name = "@name@", .aliases = "@flag@", .letter = 'z',
                            .role = Role::edit, .position = 0, .off = "@name@ = 1",
                            .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
