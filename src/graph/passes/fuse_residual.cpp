// Fuse residual: x + linear(y) becomes a linear that adds x while its sums are still in registers; x + experts(y)
// likewise.
#include <optional>

#include "graph/pass.h"

namespace ingle::graph::entries {

namespace {

// The op with the sum in it, if it is one that can have it and has none yet.
std::optional<ops::Op> with_residual(const Node& node) {
    if (const auto* const linear = std::get_if<ops::Linear>(&node.op)) {
        if (linear->residual || node.out.size() != 1) return {};
        return ops::Linear{.residual = true, .fine = linear->fine};
    }
    const auto* const experts = std::get_if<ops::Experts>(&node.op);
    if (experts == nullptr || experts->residual) return {};
    ops::Experts sum = *experts;
    sum.residual = true;
    return sum;
}

// The node of that kind that alone produces `value`, or none.
int lonely_producer(const Graph& graph, const std::vector<int>& producer,
                  const std::vector<int>& readers, ValueId value) {
    const int from = producer[size_t(value)];
    if (from == none || readers[size_t(value)] != 1) return none;
    return with_residual(graph.nodes[size_t(from)]) ? from : none;
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
            const int from = lonely_producer(graph, producer, readers, node.in[side]);
            if (from == none) continue;
            const Node& source_node = graph.nodes[size_t(from)];
            const ValueId other = node.in[1 - side];
            node.op = *with_residual(source_node);
            node.in = source_node.in;
            node.in.push_back(other);
            node.weights = source_node.weights;
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
