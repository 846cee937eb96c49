#include "graph/builder.h"

#include <cassert>

namespace ingle::graph {

int64_t Tensor::columns() const { return builder_->graph().values[size_t(id_)].columns; }

Node& Builder::push(ops::Op op, const std::vector<Tensor>& in, std::vector<WeightId> weights) {
    Node node;
    node.op = op;
    node.weights = std::move(weights);
    node.layer = layer_;
    for (const Tensor& tensor : in) node.in.push_back(tensor.id());
    if (!in.empty()) node.rows = graph_.values[size_t(in[0].id())].rows;
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.back();
}

Tensor Builder::emit(ops::Op op, std::vector<Tensor> in, std::vector<WeightId> weights,
                     int64_t columns) {
    Node& node = push(op, in, std::move(weights));
    if (std::holds_alternative<ops::SelectRows>(op)) node.rows = Rows::outputs;
    const ValueId out = graph_.add_value(node.rows, columns);
    node.out.push_back(out);
    return Tensor(this, out);
}

void Builder::emit_effect(ops::Op op, std::vector<Tensor> in) { push(op, in, {}); }

WeightId Builder::add_weight(WeightSource source) {
    graph_.weights.push_back(std::move(source));
    return WeightId(graph_.weights.size() - 1);
}

void Builder::declare_kv(const KvShape& shape) {
    assert(layer_ >= 0);
    if (graph_.kv_layers.size() <= size_t(layer_)) graph_.kv_layers.resize(size_t(layer_) + 1);
    graph_.kv_layers[size_t(layer_)] = shape;
}

namespace {

Tensor same_shape(ops::Op op, std::vector<Tensor> in) {
    const Tensor first = in[0];
    return first.builder().emit(op, std::move(in), {}, first.columns());
}

}  // namespace

Tensor operator+(Tensor a, Tensor b) { return same_shape(ops::Add{}, {a, b}); }
Tensor operator*(Tensor a, Tensor b) { return same_shape(ops::Mul{}, {a, b}); }
Tensor operator*(float factor, Tensor x) { return same_shape(ops::Scale{factor}, {x}); }
Tensor silu(Tensor x) { return same_shape(ops::Activate{ops::Activation::silu}, {x}); }
Tensor gelu_tanh(Tensor x) { return same_shape(ops::Activate{ops::Activation::gelu_tanh}, {x}); }
Tensor softcap(Tensor x, float cap) { return same_shape(ops::Softcap{cap}, {x}); }
Tensor gate_rows(Tensor x, Tensor gate) { return same_shape(ops::GateRows{}, {x, gate}); }
Tensor output_rows(Tensor x) { return same_shape(ops::SelectRows{}, {x}); }

}  // namespace ingle::graph
