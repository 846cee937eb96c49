// Attach rope: an attention whose queries were rotated learns how, so that a cache may move its tokens: keys stay as they
// were written, and queries are rotated by the difference (ops/attention.h).
#include "graph/pass.h"

namespace ingle::graph::entries {

namespace {

// The rope that a value comes from, through what commutes with rotations; null if there is none.
const Node* rope_of(const Graph& graph, ValueId value) {
    for (size_t n = graph.nodes.size(); n-- > 0;) {
        const Node& node = graph.nodes[n];
        if (node.out.empty() || node.out[0] != value) continue;
        if (std::holds_alternative<ops::Rope>(node.op)) return &node;
        if (!std::holds_alternative<ops::Scale>(node.op)) return nullptr;
        value = node.in[0];
    }
    return nullptr;
}

Graph run(const Graph& graph) {
    Graph result = graph;
    for (Node& node : result.nodes) {
        auto* const attention = std::get_if<ops::Attention>(&node.op);
        if (attention == nullptr) continue;
        const Node* const rope = rope_of(graph, node.in[0]);
        if (rope == nullptr) continue;
        attention->rotary = std::get<ops::Rope>(rope->op).rotary;
        attention->interleaved = std::get<ops::Rope>(rope->op).interleaved;
        node.weights = rope->weights;
    }
    return result;
}

}  // namespace

extern const Pass attach_rope;
const Pass attach_rope{.name = "attach_rope", .order = 5, .run = run};

}  // namespace ingle::graph::entries
