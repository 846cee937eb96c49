#include "graph/observe.h"

namespace ingle::graph {

Graph observe_linears(const Graph& graph, Observations& observations) {
    Graph observed = graph;
    observed.nodes.clear();
    for (const Node& node : graph.nodes) {
        if (std::holds_alternative<ops::Linear>(node.op)) {
            Observation& observation = observations.emplace_back();
            const ValueId input = node.in[0];
            observation.sums.squares.resize(size_t(graph.values[size_t(input)].columns));
            for (size_t w = 0; w < node.weights.size(); w += 2)  // pairs of matrix and bias
                observation.matrices.push_back(node.weights[w]);
            Node observe;
            observe.op = ops::Observe{&observation.sums};
            observe.in = {input};
            observe.rows = node.rows;
            observe.layer = node.layer;
            observe.device = node.device;
            observed.nodes.push_back(std::move(observe));
        }
        observed.nodes.push_back(node);
    }
    return observed;
}

Graph without_output_matrix(Graph graph) {
    for (size_t n = graph.nodes.size(); n-- > 0;) {
        if (!std::holds_alternative<ops::Linear>(graph.nodes[n].op)) continue;
        graph.result = graph.nodes[n].in[0];
        graph.nodes.resize(n);
        break;
    }
    return graph;
}

}  // namespace ingle::graph
