// Fuse gated: f(gate) * up becomes one node, so that the gate is never written back to memory alone.
#include "graph/pass.h"

namespace ingle::graph::entries {

namespace {

Graph fuse(const Graph& source) {
    Graph graph = source;
    const std::vector<int> readers = count_readers(graph);
    std::vector<int> producer(graph.values.size(), none);
    std::vector<bool> dead(graph.nodes.size(), false);
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
        Node& node = graph.nodes[n];
        for (const ValueId out : node.out) producer[size_t(out)] = int(n);
        if (!std::holds_alternative<ops::Mul>(node.op)) continue;
        for (const size_t side : {size_t(0), size_t(1)}) {
            const int from = producer[size_t(node.in[side])];
            if (from == none || readers[size_t(node.in[side])] != 1) continue;
            const auto* const activate = std::get_if<ops::Activate>(&graph.nodes[size_t(from)].op);
            if (activate == nullptr) continue;
            node.op = ops::Gated{activate->function};
            node.in = {graph.nodes[size_t(from)].in[0], node.in[1 - side]};
            dead[size_t(from)] = true;
            break;
        }
    }
    size_t n = 0;
    std::erase_if(graph.nodes, [&](const Node&) { return dead[n++]; });
    return graph;
}

}  // namespace

extern const Pass fuse_gated;
const Pass fuse_gated{.name = "fuse_gated", .order = 20, .run = fuse};

}  // namespace ingle::graph::entries
