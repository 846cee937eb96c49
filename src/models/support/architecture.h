// An architecture is a file of src/models: the names it answers to, and the function that builds its graph.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "weights/loader.h"

namespace ingle::models {

struct Architecture {
    std::vector<std::string_view> names;  // values of general.architecture
    // Reads hyper-parameters, declares tensors and records the computation; faults stay in the loader.
    void (*build)(Loader& loader);
};

// Every architecture, by file name.
std::span<const Architecture* const> all_architectures();
// Null if no architecture answers to `name`.
const Architecture* find_architecture(std::string_view name);

// Fails with the name and the supported ones if the file's architecture is unknown; else builds the graph.
Result<graph::Graph> build_graph(const gguf::File& file);

// The `build` of a class M with M(Loader&) and Tensor forward(graph::Builder&) const.
template <class M>
void build(Loader& loader) {
    const M model(loader);
    if (loader.status().ok()) loader.builder().set_result(model.forward(loader.builder()));
}

}  // namespace ingle::models
