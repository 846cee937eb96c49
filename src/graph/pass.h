// A pass rewrites a graph into one that computes the same result. Passes run in the order of `order`.
#pragma once

#include <span>
#include <string_view>

#include "graph/graph.h"

namespace ingle::graph {

struct Pass {
    std::string_view name;
    int order = 0;
    Graph (*run)(const Graph& graph);
};

// Every pass of src/graph/passes, by file name.
std::span<const Pass* const> all_passes();

// The graph after every pass, in order.
Graph optimize(Graph graph);

}  // namespace ingle::graph
