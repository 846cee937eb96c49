// Top-k (Fan, Lewis, Dauphin 2018): only the k likeliest tokens stay.
#include "sampling/sampler.h"

namespace ingle::sampling {

namespace {

class TopK final : public SamplerOf<TopK> {
  public:
    explicit TopK(size_t k) : k_(k) {}
    void apply(Candidates& candidates) override { candidates.keep_top(k_); }

  private:
    size_t k_;
};

std::vector<Option> options() {
    return {{.name = "top_k", .flags = "--top-k", .placeholder = "N", .default_value = int64_t(40),
             .help = "draw from the N likeliest tokens only (0 or less = off; more than the "
                     "vocabulary = off)"}};
}

Result<std::unique_ptr<Sampler>> make(const Setup& setup) {
    const int64_t k = setup.options.integer("top_k");
    if (k <= 0) return std::unique_ptr<Sampler>();
    return std::unique_ptr<Sampler>(std::make_unique<TopK>(size_t(k)));
}

}  // namespace

namespace entries {
extern const SamplerKind top_k;
const SamplerKind top_k = {.name = "top_k", .aliases = "top-k", .letter = 'k',
                           .role = Role::truncate, .position = 40, .off = "top_k <= 0",
                           .options = options, .make = make};
}  // namespace entries

}  // namespace ingle::sampling
