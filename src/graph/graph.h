// A model's computation before and after passes: values, nodes in order, weights by id.
#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"
#include "ops/support/node.h"
#include "tensor/weight.h"

namespace ingle::graph {

struct Graph {
    std::vector<Value> values;
    std::vector<Node> nodes;  // every input is produced by an earlier node
    std::vector<WeightSource> weights;
    std::vector<KvShape> kv_layers;  // by layer
    ValueId result = none;           // [outputs, vocab]: the logits

    ValueId add_value(Rows rows, int64_t columns) {
        values.push_back({rows, columns});
        return ValueId(values.size() - 1);
    }
};

// How many nodes read each value; the result counts as read once.
std::vector<int> count_readers(const Graph& graph);

// What the nodes placed on `device` do with each weight.
std::vector<backend::WeightUse> weight_uses(const Graph& graph, int device);

// The graph as text, one node a line: "%7 = linear(%6) blk.0.attn_q.weight [Q4_K 64x64]".
std::string to_text(const Graph& graph);
std::string to_text(const Graph& graph, const Node& node);

}  // namespace ingle::graph
