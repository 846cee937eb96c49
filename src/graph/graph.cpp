#include "graph/graph.h"

#include "base/text.h"

namespace ingle::graph {

std::vector<int> count_readers(const Graph& graph) {
    std::vector<int> readers(graph.values.size(), 0);
    for (const Node& node : graph.nodes)
        for (const ValueId in : node.in) ++readers[size_t(in)];
    if (graph.result != none) ++readers[size_t(graph.result)];
    return readers;
}

std::vector<backend::WeightUse> weight_uses(const Graph& graph, int device) {
    std::vector<backend::WeightUse> by_weight(graph.weights.size());
    for (const Node& node : graph.nodes) {
        if (node.device != device) continue;
        for (size_t i = 0; i < node.weights.size(); ++i) {
            if (node.weights[i] == none) continue;
            backend::WeightUse& use = by_weight[size_t(node.weights[i])];
            use.id = node.weights[i];
            const bool matrix = (std::holds_alternative<ops::Linear>(node.op) && i % 2 == 0) ||
                                std::holds_alternative<ops::Experts>(node.op);
            const bool table = std::holds_alternative<ops::Embed>(node.op);
            use.multiplied |= matrix;
            use.looked_up |= table;
            use.read |= !matrix && !table;
        }
    }
    std::erase_if(by_weight, [](const backend::WeightUse& use) { return use.id == none; });
    return by_weight;
}

namespace {

std::string weight_text(const WeightSource& weight) {
    return cat(weight.name, " [", weight.format->name, " ", weight.rows, "x", weight.columns, "]");
}

}  // namespace

std::string to_text(const Graph& graph, const Node& node) {
    std::string line;
    for (const ValueId out : node.out) line += cat(line.empty() ? "" : ", ", "%", out);
    if (!line.empty()) line += " = ";
    line += cat(op_name(node.op), "(");
    for (size_t i = 0; i < node.in.size(); ++i) line += cat(i == 0 ? "" : ", ", "%", node.in[i]);
    line += ")";
    for (const WeightId weight : node.weights)
        if (weight != none) line += cat(" ", weight_text(graph.weights[size_t(weight)]));
    if (node.rows == Rows::outputs) line += " (output rows)";
    return line;
}

std::string to_text(const Graph& graph) {
    std::string text;
    for (const Node& node : graph.nodes) text += to_text(graph, node) + "\n";
    return text;
}

}  // namespace ingle::graph
