#include "engine/plan.h"

#include <algorithm>
#include <map>

#include "base/platform.h"

namespace ingle {

namespace {

// The block whose nodes use a weight; `none` if several or none do.
std::vector<int> layers_of_weights(const graph::Graph& graph) {
    constexpr int unused = -2;
    std::vector<int> layers(graph.weights.size(), unused);
    for (const Node& node : graph.nodes)
        for (const WeightId id : node.weights) {
            if (id == none) continue;
            int& layer = layers[size_t(id)];
            layer = layer == unused || layer == node.layer ? node.layer : none;
        }
    return layers;
}

std::vector<PlannedLayer> plan_layers(const Model& model, const backend::KvLayout& layout,
                                      uint64_t pages, uint64_t windows) {
    const graph::Graph& graph = model.graph();
    const std::vector<int> layer_of = layers_of_weights(graph);
    std::map<int, PlannedLayer> layers;
    for (const backend::WeightUse& use : graph::weight_uses(graph, 0)) {
        PlannedLayer& layer = layers[layer_of[size_t(use.id)]];
        const backend::Device& device = model.runtime().device();
        layer.weights += device.weight_bytes(graph.weights[size_t(use.id)], use);
        layer.mapped += device.mapped_weight_bytes(graph.weights[size_t(use.id)], use);
    }
    for (size_t i = 0; i < layout.layers.size(); ++i)
        layers[int(i)].kv = layout.page_bytes(i) * (layout.windowed(i) ? windows : pages);
    std::vector<PlannedLayer> list;
    for (auto& [index, layer] : layers) {
        layer.index = index;
        list.push_back(layer);
    }
    return list;
}

}  // namespace

Result<Plan> make_plan(const Model& model, const SessionOptions& options, uint64_t prefix_bytes) {
    Plan plan;
    plan.sequences = options.sequences;
    plan.prefix = prefix_bytes;
    plan.program = platform::resident_bytes();
    const uint64_t free = platform::available_memory_bytes();
    plan.available = free + plan.program;
    plan.weights = model.weights().bytes();
    plan.mapped = model.weights().mapped_bytes();
    plan.context_tokens = options.context_tokens;
    if (plan.context_tokens == 0) {
        const uint64_t other = plan.weights + prefix_bytes;
        auto settled = settle_context(model, options, free > other ? free - other : 0);
        if (!settled.ok()) return std::move(settled).status();
        plan.context_tokens = settled->tokens;
    }
    plan.chunk_tokens = std::min(options.chunk_tokens, plan.context_tokens);
    INGLE_ASSIGN(plan.compute, compute_need(model, options, plan.context_tokens));
    const backend::KvLayout layout = layout_of(model.graph(), options);
    const int64_t pages = (plan.context_tokens + options.page_tokens - 1) / options.page_tokens;
    const auto all_pages = uint64_t(pages * options.sequences);
    const auto windows = uint64_t(windows_max(layout, options, plan.context_tokens));
    plan.layers = plan_layers(model, layout, all_pages, windows);
    for (const PlannedLayer& layer : plan.layers) plan.kv += layer.kv;
    plan.exact = kv_bytes(layout, options, plan.context_tokens) - plan.kv;
    plan.window_tokens = layout.window();
    return plan;
}

}  // namespace ingle
