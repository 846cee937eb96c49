#include "engine/memory.h"

#include <algorithm>

#include "base/log.h"
#include "graph/program.h"

namespace ingle {

namespace {

constexpr int64_t context_default = 4096;  // for files that do not say what they were trained on
constexpr int64_t context_least = 256;

int64_t pages_of(int64_t tokens, int64_t page_tokens) {
    return (tokens + page_tokens - 1) / page_tokens;
}

// Exact forms that a step can hold: page 0 and the open page of each sequence, and the pages that a chunk fills.
uint64_t exact_bytes(const backend::KvLayout& layout, const SessionOptions& options) {
    const int64_t filled = pages_of(options.chunk_tokens, options.page_tokens);
    return layout.exact_page_bytes() * uint64_t(2 * options.sequences + filled);
}

}  // namespace

backend::KvLayout layout_of(const graph::Graph& graph, const SessionOptions& options) {
    backend::KvLayout layout;
    layout.layers = graph.kv_layers;
    layout.key_type = options.key_type;
    layout.value_type = options.value_type;
    layout.page_tokens = options.page_tokens;
    layout.drops_windows = !options.full_windows;
    return layout;
}

kv::Window window_of(const backend::KvLayout& layout) { return {layout.window(), layout.page_tokens}; }

int64_t windows_max(const backend::KvLayout& layout, const SessionOptions& options, int64_t tokens) {
    const int64_t kept = window_of(layout).pages_max() * options.sequences +
                         pages_of(options.chunk_tokens, options.page_tokens);
    return std::min(kept, pages_of(tokens, options.page_tokens) * options.sequences);
}

uint64_t kv_bytes(const backend::KvLayout& layout, const SessionOptions& options, int64_t tokens) {
    const auto pages = uint64_t(pages_of(tokens, options.page_tokens) * options.sequences);
    const uint64_t windows = layout.window_page_bytes();
    // A short context has fewer pages than a step can hold exact forms of.
    return (layout.page_bytes() - windows) * pages +
           windows * uint64_t(windows_max(layout, options, tokens)) +
           std::min(exact_bytes(layout, options), layout.exact_page_bytes() * pages);
}

Result<ComputeNeed> compute_need(const Model& model, const SessionOptions& options,
                                 int64_t context) {
    backend::KvLayout layout = layout_of(model.graph(), options);
    layout.pages_max = pages_of(context, options.page_tokens) * options.sequences;
    backend::Device& device = model.runtime().device();
    INGLE_ASSIGN(const auto kv, device.make_kv(layout));
    const graph::Binding bindings[] = {{&device, &model.weights(), kv.get()}};
    const int64_t chunk = std::clamp<int64_t>(options.chunk_tokens, 1, context);
    INGLE_ASSIGN(const auto program,
                 graph::Program::compile(model.graph(), bindings, chunk,
                                         std::clamp<int64_t>(options.outputs_max, 1, chunk)));
    return ComputeNeed{program->activation_bytes(), program->scratch_bytes()};
}

Result<SettledContext> settle_context(const Model& model, const SessionOptions& options,
                                      uint64_t available) {
    const backend::KvLayout layout = layout_of(model.graph(), options);
    const int64_t trained = model.context_trained();
    const int64_t wanted = options.context_tokens > 0 ? options.context_tokens
                           : trained > 0              ? trained
                                                      : context_default;
    INGLE_ASSIGN(const ComputeNeed need, compute_need(model, options, wanted));
    const uint64_t compute = need.total();
    const uint64_t windows = layout.window_page_bytes();
    const uint64_t fixed = compute + exact_bytes(layout, options) +
                           windows * uint64_t(windows_max(layout, options, wanted));
    const uint64_t per_page = std::max<uint64_t>(
        1, (layout.page_bytes() - windows) * uint64_t(options.sequences));
    const uint64_t room = available > fixed ? available - fixed : 0;
    const auto fitting =
        int64_t(std::min<uint64_t>(room / per_page, uint64_t(1) << 31)) * options.page_tokens;
    if (wanted <= fitting) return SettledContext{wanted, compute};
    if (options.context_tokens > 0 || fitting < context_least)
        return fail(Code::out_of_memory, "a context of ", wanted, " tokens",
                    options.sequences > 1 ? cat(" for each of ", options.sequences, " sequences")
                                          : std::string(),
                    " needs ", human_bytes(kv_bytes(layout, options, wanted)),
                    " for keys and values and ", human_bytes(compute), " for computing, but only ",
                    human_bytes(available), " are free; the largest context that fits has ", fitting,
                    " tokens");
    log(LogLevel::warning, "the trained context of ", wanted, " tokens does not fit in ",
        human_bytes(available), " of free memory; using ", fitting);
    return SettledContext{fitting, compute};
}

}  // namespace ingle
