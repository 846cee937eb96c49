#include "graph/program.h"

#include <algorithm>

namespace ingle::graph {

namespace {

// [first, last) of nodes on one device.
struct Run {
    size_t first;
    size_t last;
};

std::vector<Run> runs_of(const Graph& graph) {
    std::vector<Run> runs;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
        if (runs.empty() || graph.nodes[n].device != graph.nodes[runs.back().first].device)
            runs.push_back({n, n});
        runs.back().last = n + 1;
    }
    return runs;
}

int64_t rows_max(const Value& value, int64_t tokens_max, int64_t outputs_max) {
    return value.rows == Rows::tokens ? tokens_max : outputs_max;
}

}  // namespace

Result<std::unique_ptr<Program>> Program::compile(const Graph& graph,
                                                  std::span<const Binding> bindings,
                                                  int64_t tokens_max, int64_t outputs_max) {
    auto program = std::make_unique<Program>();
    program->graph_ = &graph;
    const std::vector<Run> runs = runs_of(graph);
    std::vector<size_t> producer(graph.values.size(), 0);
    std::vector<backend::Segment> segments(runs.size());
    program->parts_.resize(runs.size());
    size_t staging = 0;
    for (size_t s = 0; s < runs.size(); ++s) {
        backend::Segment& segment = segments[s];
        segment.nodes = std::span(graph.nodes).subspan(runs[s].first, runs[s].last - runs[s].first);
        segment.values = graph.values;
        segment.weights = graph.weights;
        segment.tokens_max = tokens_max;
        segment.outputs_max = outputs_max;
        for (const Node& node : segment.nodes)
            for (const ValueId out : node.out) producer[size_t(out)] = s;
        for (const Node& node : segment.nodes) {
            for (const ValueId in : node.in) {
                const size_t from = producer[size_t(in)];
                if (from == s || std::ranges::find(segment.imports, in) != segment.imports.end())
                    continue;
                segment.imports.push_back(in);
                program->parts_[s].arrivals.push_back({in, from, s});
                auto& exports = segments[from].exports;
                if (std::ranges::find(exports, in) == exports.end()) exports.push_back(in);
                const Value& value = graph.values[size_t(in)];
                staging = std::max(staging, size_t(rows_max(value, tokens_max, outputs_max) *
                                                   value.columns));
            }
        }
    }
    program->result_part_ = producer[size_t(graph.result)];
    segments[program->result_part_].exports.push_back(graph.result);
    for (size_t s = 0; s < runs.size(); ++s) {
        const Binding& binding = bindings[size_t(segments[s].nodes[0].device)];
        INGLE_ASSIGN(program->parts_[s].executable,
                     binding.device->compile(segments[s], *binding.weights, binding.kv));
        program->parts_[s].device = binding.device->name();
    }
    program->staging_.resize(staging);
    if (program->parts_[program->result_part_].executable->peek(graph.result) == nullptr)
        program->result_copy_.resize(
            size_t(outputs_max * graph.values[size_t(graph.result)].columns));
    return program;
}

Status Program::run(const backend::Call& call) {
    for (Part& part : parts_) {
        for (const Transfer& transfer : part.arrivals) {
            const Value& value = graph_->values[size_t(transfer.value)];
            const int64_t rows = call.batch.count(value.rows);
            INGLE_TRY(parts_[transfer.from].executable->read(transfer.value, rows, staging_.data()));
            INGLE_TRY(part.executable->write(transfer.value, rows, staging_.data()));
        }
        INGLE_TRY(part.executable->wait(part.executable->submit(call)));
    }
    return fetch_result(call);
}

Status Program::fetch_result(const backend::Call& call) {
    const int64_t rows = call.batch.count(Rows::outputs);
    const size_t size = size_t(rows * graph_->values[size_t(graph_->result)].columns);
    backend::Executable& last = *parts_[result_part_].executable;
    if (const float* const in_place = last.peek(graph_->result)) {
        result_ = {in_place, size};
        return {};
    }
    INGLE_TRY(last.read(graph_->result, rows, result_copy_.data()));
    result_ = {result_copy_.data(), size};
    return {};
}

uint64_t Program::activation_bytes() const {
    uint64_t sum = (staging_.size() + result_copy_.size()) * sizeof(float);
    for (const Part& part : parts_) sum += part.executable->activation_bytes();
    return sum;
}

uint64_t Program::scratch_bytes() const {
    uint64_t sum = 0;
    for (const Part& part : parts_) sum += part.executable->scratch_bytes();
    return sum;
}

std::string Program::to_text() const {
    std::string text;
    for (size_t s = 0; s < parts_.size(); ++s) {
        const Part& part = parts_[s];
        text += cat("segment ", s, " on ", part.device, "\n");
        for (const Transfer& transfer : part.arrivals)
            text += cat("    transfer %", transfer.value, " from segment ", transfer.from, "\n");
        for (const std::string& line : part.executable->describe()) text += "    " + line + "\n";
    }
    return text;
}

namespace {

bool touches_cache(const Node& node) {
    return std::holds_alternative<ops::KvAppend>(node.op) ||
           std::holds_alternative<ops::Attention>(node.op);
}

}  // namespace

Status place(Graph& graph, std::span<backend::Device* const> devices,
             const std::function<int(const Node&)>& prefer) {
    const auto runs_on = [&](const Node& node, int device) {
        const auto accepted = [&](const Node& n) {
            return devices[size_t(device)]->accepts(n, graph.weights);
        };
        if (!touches_cache(node)) return accepted(node);
        // A layer's cache lies on one device: all that touches it goes there.
        return std::ranges::all_of(graph.nodes, [&](const Node& other) {
            return !touches_cache(other) || other.layer != node.layer || accepted(other);
        });
    };
    std::vector<int> cache_device(graph.kv_layers.size(), none);
    for (Node& node : graph.nodes) {
        int first = prefer(node);
        if (touches_cache(node) && cache_device[size_t(node.layer)] != none)
            first = cache_device[size_t(node.layer)];
        int chosen = runs_on(node, first) ? first : none;
        for (int d = 0; chosen == none && d < int(devices.size()); ++d)
            if (runs_on(node, d)) chosen = d;
        if (chosen == none)
            return fail(Code::unsupported, "no device can run: ", to_text(graph, node));
        node.device = chosen;
        if (touches_cache(node)) cache_device[size_t(node.layer)] = chosen;
    }
    return {};
}

}  // namespace ingle::graph
