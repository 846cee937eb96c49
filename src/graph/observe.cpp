#include "graph/observe.h"

namespace ingle::graph {

namespace {

ops::ExpertSquares& observe_matrices(Observations& observations, std::span<const WeightId> matrices,
                                     int64_t experts, int64_t columns, bool stacked) {
    Observation& observation = observations.emplace_back();
    observation.matrices.assign(matrices.begin(), matrices.end());
    observation.by_expert.squares.resize(size_t(experts * columns));
    observation.by_expert.rows.resize(size_t(experts));
    observation.stacked = stacked;
    return observation.by_expert;
}

Node observed_experts(const Graph& graph, const Node& node, Observations& observations) {
    Node observed = node;
    auto& op = std::get<ops::Experts>(observed.op);
    const std::span<const WeightId> matrices = node.weights;
    const size_t inner = matrices.size() / 3 * 2;  // gates and ups come before downs
    const auto columns = [&](WeightId id) { return graph.weights[size_t(id)].columns; };
    op.observed_input = &observe_matrices(observations, matrices.first(inner), op.experts,
                                          columns(matrices.front()), inner == 2);
    op.observed_hidden = &observe_matrices(observations, matrices.subspan(inner), op.experts,
                                           columns(matrices.back()), inner == 2);
    return observed;
}

}  // namespace

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
        const bool experts = std::holds_alternative<ops::Experts>(node.op);
        observed.nodes.push_back(experts ? observed_experts(graph, node, observations) : node);
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
