// How model files write mathematics: Tensor is a handle on a value of the graph being built.
#pragma once

#include "graph/graph.h"
#include "ops/support/activation.h"

namespace ingle::graph {

class Builder;

class Tensor {
  public:
    Tensor() = default;
    Tensor(Builder* builder, ValueId id) : builder_(builder), id_(id) {}
    Builder& builder() const { return *builder_; }
    ValueId id() const { return id_; }
    int64_t columns() const;

  private:
    Builder* builder_ = nullptr;
    ValueId id_ = none;
};

class Builder {
  public:
    // A node whose single output has `columns` columns and the rows of its first input (or of the tokens).
    Tensor emit(ops::Op op, std::vector<Tensor> in, std::vector<WeightId> weights, int64_t columns);
    // A node without output.
    void emit_effect(ops::Op op, std::vector<Tensor> in);

    WeightId add_weight(WeightSource source);
    // The block that following nodes belong to.
    void begin_layer(int layer) { layer_ = layer; }
    void declare_kv(const KvShape& shape);
    int layer() const { return layer_; }

    void set_result(Tensor result) { graph_.result = result.id(); }
    const Graph& graph() const { return graph_; }
    Graph take() { return std::move(graph_); }

  private:
    Node& push(ops::Op op, const std::vector<Tensor>& in, std::vector<WeightId> weights);

    Graph graph_;
    int layer_ = none;
};

Tensor operator+(Tensor a, Tensor b);
Tensor operator*(Tensor a, Tensor b);
Tensor operator*(float factor, Tensor x);
Tensor silu(Tensor x);
Tensor gelu_tanh(Tensor x);
Tensor softcap(Tensor x, float cap);
// sigmoid(gate) * x, row by row; gate has one column.
Tensor gate_rows(Tensor x, Tensor gate);
// Only the rows whose output is wanted: [tokens, n] -> [outputs, n].
Tensor output_rows(Tensor x);

}  // namespace ingle::graph
