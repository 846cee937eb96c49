// Group linears: matrices applied to the same input in the same layer (Q, K and V; gate and up) become one node,
// so that the input is quantized once and all rows form one grid of tasks.
#include "graph/pass.h"

namespace ingle::graph::entries {

namespace {

bool groupable(const Node& node) {
    const auto* const linear = std::get_if<ops::Linear>(&node.op);
    return linear != nullptr && !linear->residual && !linear->fine;
}

Graph group(const Graph& source) {
    Graph graph = source;
    std::vector<int> first_reader(graph.values.size(), none);  // the linear that others join
    std::vector<bool> dead(graph.nodes.size(), false);
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
        Node& node = graph.nodes[n];
        if (!groupable(node)) continue;
        int& first = first_reader[size_t(node.in[0])];
        if (first == none || graph.nodes[size_t(first)].rows != node.rows ||
            graph.nodes[size_t(first)].layer != node.layer) {
            first = int(n);
            continue;
        }
        Node& leader = graph.nodes[size_t(first)];
        leader.out.insert(leader.out.end(), node.out.begin(), node.out.end());
        leader.weights.insert(leader.weights.end(), node.weights.begin(), node.weights.end());
        dead[n] = true;
    }
    size_t n = 0;
    std::erase_if(graph.nodes, [&](const Node&) { return dead[n++]; });
    return graph;
}

}  // namespace

extern const Pass group_linears;
const Pass group_linears{.name = "group_linears", .order = 40, .run = group};

}  // namespace ingle::graph::entries
