// Fuse residual: x + linear(y) becomes a linear that adds x while its sums are still in registers.
#include "graph/pass.h"

namespace ingle::graph::entries {

namespace {

// The single-matrix linear without residual that alone produces `value`, or none.
int lonely_linear(const Graph& graph, const std::vector<int>& producer,
                  const std::vector<int>& readers, ValueId value) {
    const int from = producer[size_t(value)];
    if (from == none || readers[size_t(value)] != 1) return none;
    const Node& node = graph.nodes[size_t(from)];
    const auto* const linear = std::get_if<ops::Linear>(&node.op);
    return linear != nullptr && !linear->residual && node.out.size() == 1 ? from : none;
}

Graph fuse(const Graph& source) {
    Graph graph = source;
    const std::vector<int> readers = count_readers(graph);
    std::vector<int> producer(graph.values.size(), none);
    std::vector<bool> dead(graph.nodes.size(), false);
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
        Node& node = graph.nodes[n];
        for (const ValueId out : node.out) producer[size_t(out)] = int(n);
        if (!std::holds_alternative<ops::Add>(node.op)) continue;
        for (const size_t side : {size_t(1), size_t(0)}) {
            const int from = lonely_linear(graph, producer, readers, node.in[side]);
            if (from == none) continue;
            const Node& linear = graph.nodes[size_t(from)];
            node.op = ops::Linear{.residual = true,
                                  .fine = std::get<ops::Linear>(linear.op).fine};
            node.in = {linear.in[0], node.in[1 - side]};
            node.weights = linear.weights;
            dead[size_t(from)] = true;
            break;
        }
    }
    size_t n = 0;
    std::erase_if(graph.nodes, [&](const Node&) { return dead[n++]; });
    return graph;
}

}  // namespace

extern const Pass fuse_residual;
const Pass fuse_residual{.name = "fuse_residual", .order = 30, .run = fuse};

}  // namespace ingle::graph::entries
