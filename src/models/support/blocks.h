// The parts that model files are written with. Each names its tensors, checks their shapes when it is made, and
// records its op when it is called. Shapes: activations [tokens, columns]; a matrix maps columns to rows.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "models/support/rope_frequencies.h"
#include "weights/loader.h"

namespace ingle::models {

using graph::Tensor;

// The hyper-parameters that every decoder of the Llama kind has.
struct Dims {
    int64_t layers = 0;
    int64_t width = 0;
    int64_t ffn = 0;
    int64_t heads = 0;
    int64_t kv_heads = 0;
    int64_t key_dim = 0;    // of a head
    int64_t value_dim = 0;  // of a head
    int64_t vocab = 0;
    float eps = 0;

    explicit Dims(Loader& w);
};

struct Norm {
    WeightId weight = none;
    int64_t size = 0;
    float eps = 0;

    Norm(Loader& w, const std::string& name, int64_t size_in, float eps_in)
        : weight(w.vector(name, size_in)), size(size_in), eps(eps_in) {}

    // Over rows of `size` columns, or over every head of `size` columns in a longer row.
    Tensor operator()(Tensor x) const {
        return x.builder().emit(ops::RmsNorm{eps, size}, {x}, {weight}, x.columns());
    }
};

struct Linear {
    WeightId weight = none;
    WeightId bias = none;
    int64_t rows = 0;
    bool fine = false;

    Linear(Loader& w, const std::string& name, int64_t columns, int64_t rows_in)
        : weight(w.matrix(name, columns, rows_in)), bias(w.bias(name, rows_in)), rows(rows_in) {}

    Tensor operator()(Tensor x) const {
        return x.builder().emit(ops::Linear{.fine = fine}, {x}, {weight, bias}, rows);
    }
};

// The output matrix, or the token embedding where the file ties the two.
inline Linear output_or_tied(Loader& w, const Dims& d) {
    Linear output(w, w.has_tensor("output.weight") ? "output" : "token_embd", d.width, d.vocab);
    output.fine = true;
    return output;
}

struct Embedding {
    WeightId table = none;
    int64_t width = 0;

    Embedding(Loader& w, const std::string& name, int64_t vocab, int64_t width_in)
        : table(w.matrix(name, width_in, vocab)), width(width_in) {}

    Tensor operator()(graph::Builder& builder) const {
        return builder.emit(ops::Embed{}, {}, {table}, width);
    }
};

struct Rope {
    WeightId frequency = none;
    ops::Rope op;

    Rope(Loader& w, const std::string& name, int64_t head_dim, bool interleaved,
         const RopeFrequencies& frequencies)
        : frequency(w.builder().add_weight(constant_weight(name, frequencies.values))),
          op{.head_dim = head_dim, .rotary = 2 * int64_t(frequencies.values.size()),
             .interleaved = interleaved, .magnitude = frequencies.magnitude} {}

    Tensor operator()(Tensor x) const {
        return x.builder().emit(op, {x}, {frequency}, x.columns());
    }
};

// Appends k and v to the layer's cache and lets q attend to it.
struct SelfAttention {
    ops::Attention op;

    // window 0: every earlier token is seen.
    explicit SelfAttention(const Dims& d, int64_t window = 0)
        : op{.heads = d.heads, .kv_heads = d.kv_heads, .key_dim = d.key_dim,
             .value_dim = d.value_dim, .scale = 1 / std::sqrt(float(d.key_dim)),
             .window = window} {}

    Tensor operator()(Tensor q, Tensor k, Tensor v) const {
        graph::Builder& builder = q.builder();
        builder.declare_kv({op.kv_heads, op.key_dim, op.value_dim, op.window});
        builder.emit_effect(ops::KvAppend{op.kv_heads, op.key_dim, op.value_dim}, {k, v});
        return builder.emit(op, {q}, {}, op.heads * op.value_dim);
    }
};

// blk.0 ... blk.N-1, each made with (loader, "blk.i.", i, arguments...).
template <class Layer, class... Arguments>
std::vector<Layer> layers(Loader& w, const Dims& d, const Arguments&... arguments) {
    std::vector<Layer> all;
    all.reserve(size_t(d.layers));
    for (int64_t i = 0; i < d.layers; ++i)
        all.emplace_back(w, cat("blk.", i, "."), int(i), d, arguments...);
    return all;
}

}  // namespace ingle::models
