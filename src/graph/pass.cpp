#include "graph/pass.h"

#include <algorithm>
#include <vector>

namespace ingle::graph {

Graph optimize(Graph graph) {
    std::vector<const Pass*> passes(all_passes().begin(), all_passes().end());
    std::ranges::stable_sort(passes, {}, &Pass::order);
    for (const Pass* const pass : passes) graph = pass->run(graph);
    return graph;
}

}  // namespace ingle::graph
