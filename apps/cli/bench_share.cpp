#include "cli/bench_share.h"

#include "backend/cpu/gemm/packed.h"
#include "backend/cpu/roofs.h"

namespace ingle::cli {

namespace {

// What the matrices of a model ask for.
struct Work {
    double token_int8 = 0, token_f32 = 0;    // operations per token, by the kind of kernel
    double output_int8 = 0, output_f32 = 0;  // per output
    double bytes = 0;                        // of all matrices, as the file has them
};

Work work_of(const Model& model) {
    Work work;
    const graph::Graph& graph = model.graph();
    for (const Node& node : graph.nodes) {
        const auto* const linear = std::get_if<ops::Linear>(&node.op);
        if (linear == nullptr) continue;
        for (size_t w = 0; w < node.weights.size(); w += 2) {  // pairs of matrix and bias
            const WeightSource& matrix = graph.weights[size_t(node.weights[w])];
            // A fine linear multiplies two planes of activations.
            const double operations = 2.0 * double(matrix.rows * matrix.columns);
            const bool int8 =
                activation_kind(cpu::find_kernel(*matrix.format, model.runtime().isa())) ==
                cpu::ActivationKind::int8;
            const double done = int8 && linear->fine ? 2 * operations : operations;
            if (node.rows == Rows::tokens) (int8 ? work.token_int8 : work.token_f32) += done;
            else (int8 ? work.output_int8 : work.output_f32) += done;
            work.bytes += double(matrix.bytes_total());
        }
    }
    return work;
}

}  // namespace

const Roofs& RoofMeter::of(const Runtime& runtime) {
    const int threads = runtime.threads();
    const auto known = by_threads_.find(threads);
    if (known != by_threads_.end()) return known->second;
    Roofs roofs;
    roofs.int8 = cpu::int8_roof(runtime.isa(), threads);
    roofs.f32 = cpu::f32_roof(runtime.isa(), threads);
    roofs.read = cpu::read_roof(threads);
    return by_threads_[threads] = roofs;
}

std::optional<double> share_of_roof(const Model& model, const Roofs& roofs, const BenchRow& row) {
    const BenchTest& test = row.test;
    if ((test.prompt_tokens > 0) == (test.generated_tokens > 0)) return std::nullopt;
    const Work work = work_of(model);
    const double seconds = double(test.tokens()) / row.tokens_per_second().mean;
    if (test.generated_tokens > 0)
        return double(test.generated_tokens) * work.bytes * 1e-9 / roofs.read / seconds;
    const double tokens = double(test.prompt_tokens);
    return ((tokens * work.token_int8 + work.output_int8) * 1e-9 / roofs.int8 +
            (tokens * work.token_f32 + work.output_f32) * 1e-9 / roofs.f32) / seconds;
}

}  // namespace ingle::cli
