// Lets somebody see what meets each matrix: puts an Observe before every linear node of a finished graph. A program
// compiled from the graph as it was does nothing of the kind.
#pragma once

#include <deque>

#include "graph/graph.h"

namespace ingle::graph {

// The input of one linear node, and the matrices it is multiplied with.
struct Observation {
    ops::ColumnSquares sums;
    std::vector<WeightId> matrices;
};
using Observations = std::deque<Observation>;  // addresses stay

// `observations` gets one entry per linear node and must outlive every program made from the result.
Graph observe_linears(const Graph& graph, Observations& observations);

// The graph without its output matrix and what follows it: the result is what would meet that matrix.
Graph without_output_matrix(Graph graph);

}  // namespace ingle::graph
