// Lets somebody see what meets each matrix: puts an Observe before every linear node of a finished graph, and has
// experts, whose rows only they know, add up for themselves. A program compiled from the graph as it was does nothing of
// the kind.
#pragma once

#include <deque>

#include "graph/graph.h"

namespace ingle::graph {

// The input of one linear node, or of the matrices of experts, and the matrices it is multiplied with.
struct Observation {
    ops::ColumnSquares sums;
    std::vector<WeightId> matrices;
    ops::ExpertSquares by_expert = {};  // in place of `sums`; `rows` is empty where there are no experts
    bool stacked = false;  // each matrix holds those of all experts; else matrix m is of expert m % experts
};
using Observations = std::deque<Observation>;  // addresses stay

// `observations` gets one entry per linear node, two per node of experts (gate and up; down), and must outlive every
// program made from the result.
Graph observe_linears(const Graph& graph, Observations& observations);

// The graph without its output matrix and what follows it: the result is what would meet that matrix.
Graph without_output_matrix(Graph graph);

}  // namespace ingle::graph
