#include "models/support/experts.h"

namespace ingle::models {

namespace {

constexpr int64_t experts_max = 1 << 14;
constexpr int64_t ffn_max = 1 << 20;
constexpr float scale_max = 1e6f;

// Values of "expert_gating_func".
enum : int64_t { gating_of_architecture = 0, softmax_of_all = 1, sigmoid_of_each = 2, softmax_of_chosen = 3 };

}  // namespace

ExpertDims::ExpertDims(Loader& w, const Dims& d, const ops::Route& defaults)
    : count(w.integer("expert_count", 1, experts_max)),
      ffn(w.integer_or("expert_feed_forward_length", d.ffn, 1, ffn_max)),
      route(defaults) {
    route.used = w.integer("expert_used_count", 1, count);
    route.normalize = w.flag_or("expert_weights_norm", defaults.normalize);
    const float scale = w.real_or("expert_weights_scale", defaults.scale, 0, scale_max);
    route.scale = scale > 0 ? scale : 1;  // 0: none
    switch (w.integer_or("expert_gating_func", gating_of_architecture, 0, softmax_of_chosen)) {
        case softmax_of_all: route.gating = ops::Gating::softmax; break;
        case sigmoid_of_each: route.gating = ops::Gating::sigmoid; break;
        // The softmax over the chosen alone is that over all, divided by the sum of the chosen.
        case softmax_of_chosen:
            route.gating = ops::Gating::softmax;
            route.normalize = true;
            break;
        default: break;
    }
    if (w.integer_or("expert_group_count", 1, 0, experts_max) > 1)
        w.fault(cat("experts in groups (", w.architecture(), ".expert_group_count > 1) are not supported"));
}

RoutedExperts::RoutedExperts(Loader& w, const std::string& blk, const Dims& d, const ExpertDims& experts)
    : dims_(experts),
      ffn_gate_inp_(w, blk + "ffn_gate_inp", d.width, experts.count),
      exp_probs_b_(w.bias(blk + "exp_probs_b", experts.count)) {
    // Files of 2023 have each expert's matrices by themselves.
    const bool one_by_one = w.has_tensor(blk + "ffn_gate.0.weight");
    for (const char* const kind : {"gate", "up", "down"}) {
        const bool down = std::string_view(kind) == "down";
        const int64_t columns = down ? experts.ffn : d.width;
        const int64_t rows = down ? d.width : experts.ffn;
        if (!one_by_one)
            matrices_.push_back(w.stack(cat(blk, "ffn_", kind, "_exps"), columns, rows, experts.count));
        for (int64_t e = 0; one_by_one && e < experts.count; ++e)
            matrices_.push_back(w.matrix(cat(blk, "ffn_", kind, ".", e), columns, rows));
    }
}

Tensor RoutedExperts::operator()(Tensor x) const {
    graph::Builder& builder = x.builder();
    const Tensor chosen = builder.emit(dims_.route, {ffn_gate_inp_(x)}, {exp_probs_b_}, 2 * dims_.route.used);
    return builder.emit(ops::Experts{.experts = dims_.count, .used = dims_.route.used}, {x, chosen}, matrices_,
                        x.columns());
}

}  // namespace ingle::models
