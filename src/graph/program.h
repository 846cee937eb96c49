// A graph compiled for one or several devices: a flat list of segments and transfers, with every buffer planned.
// Per call only the batch and the page table change. Text: one line per step.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "graph/graph.h"

namespace ingle::graph {

// A device with one model's weights and one cache on it.
struct Binding {
    backend::Device* device = nullptr;
    const backend::Weights* weights = nullptr;
    backend::KvStore* kv = nullptr;
};

class Program {
  public:
    // node.device of every node indexes `bindings`. `graph` and the bound objects must outlive the program.
    static Result<std::unique_ptr<Program>> compile(const Graph& graph,
                                                    std::span<const Binding> bindings,
                                                    int64_t tokens_max, int64_t outputs_max);

    // Runs the batch: at most tokens_max tokens and outputs_max outputs. One thread at a time.
    Status run(const backend::Call& call);

    // Logits of the last run: [outputs, vocab], valid until the next run.
    std::span<const float> result() const { return result_; }

    uint64_t activation_bytes() const;
    uint64_t scratch_bytes() const;
    std::string to_text() const;

  private:
    // A value that moves from one segment to a later one, through host memory.
    struct Transfer {
        ValueId value;
        size_t from;
        size_t to;
    };
    struct Part {
        std::vector<Transfer> arrivals;  // before it runs
        std::unique_ptr<backend::Executable> executable;
        std::string device;
    };

    Status fetch_result(const backend::Call& call);

    const Graph* graph_ = nullptr;
    std::vector<Part> parts_;
    size_t result_part_ = 0;
    std::vector<float> staging_;
    std::vector<float> result_copy_;
    std::span<const float> result_;
};

// Puts each node on the first device, in the caller's order of preference, that accepts it. `prefer(node)` gives
// the index that is tried first.
Status place(Graph& graph, std::span<backend::Device* const> devices,
             const std::function<int(const Node&)>& prefer);

}  // namespace ingle::graph
