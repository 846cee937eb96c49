#include "engine/memory.h"

#include <algorithm>

#include "base/log.h"
#include "graph/memory_plan.h"

namespace ingle {

namespace {

constexpr int64_t context_default = 4096;  // for files that do not say what they were trained on
constexpr int64_t context_least = 256;

backend::KvLayout layout_of(const graph::Graph& graph, const SessionOptions& options) {
    backend::KvLayout layout;
    layout.layers = graph.kv_layers;
    layout.key_type = options.key_type;
    layout.value_type = options.value_type;
    layout.page_tokens = options.page_tokens;
    return layout;
}

}  // namespace

uint64_t kv_bytes(const graph::Graph& graph, const SessionOptions& options, int64_t tokens) {
    const int64_t pages = (tokens + options.page_tokens - 1) / options.page_tokens;
    return layout_of(graph, options).page_bytes() * uint64_t(pages);
}

uint64_t compute_bytes(const graph::Graph& graph, const SessionOptions& options) {
    backend::Segment segment;
    segment.nodes = graph.nodes;
    segment.values = graph.values;
    segment.weights = graph.weights;
    segment.exports = {graph.result};
    segment.tokens_max = options.chunk_tokens;
    segment.outputs_max = options.outputs_max;
    int64_t columns = 0;
    for (const Value& value : graph.values)
        if (value.rows == Rows::tokens) columns = std::max(columns, value.columns);
    // Quantized activations of one step: at most two planes and their scales, under 3 bytes a value.
    const uint64_t working = uint64_t(options.chunk_tokens * columns) * 3;
    return graph::plan_memory(segment).bytes + working;
}

Result<int64_t> settle_context(const graph::Graph& graph, const SessionOptions& options,
                               int64_t context_trained, uint64_t available) {
    const uint64_t compute = compute_bytes(graph, options);
    const uint64_t per_page = std::max<uint64_t>(1, kv_bytes(graph, options, 1));
    const uint64_t room = available > compute ? available - compute : 0;
    const auto fitting =
        int64_t(std::min<uint64_t>(room / per_page, uint64_t(1) << 31)) * options.page_tokens;
    const int64_t wanted = options.context_tokens > 0 ? options.context_tokens
                           : context_trained > 0      ? context_trained
                                                      : context_default;
    if (wanted <= fitting) return wanted;
    if (options.context_tokens > 0 || fitting < context_least)
        return fail(Code::out_of_memory, "a context of ", wanted, " tokens needs ",
                    human_bytes(kv_bytes(graph, options, wanted)), " for keys and values and ",
                    human_bytes(compute), " for computing, but only ", human_bytes(available),
                    " are free; the largest context that fits has ", fitting, " tokens");
    log(LogLevel::warning, "the trained context of ", wanted, " tokens does not fit in ",
        human_bytes(available), " of free memory; using ", fitting);
    return fitting;
}

}  // namespace ingle
