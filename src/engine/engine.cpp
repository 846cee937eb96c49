#include "engine/engine.h"

#include <algorithm>

#include "base/log.h"
#include "base/platform.h"
#include "engine/memory.h"
#include "engine/scheduler.h"

namespace ingle {

namespace {

constexpr int64_t sequences_default = 8;
constexpr uint64_t warm_bytes = 64u << 20;  // of free pages that keep their memory
// Of the memory that is free when the engine opens, keys and values may take this part at most.

int64_t pages_of(int64_t tokens, int64_t page_tokens) {
    return (tokens + page_tokens - 1) / page_tokens;
}

// Pages for every sequence at its longest, and for prefixes, or as many as memory has room for: the engine sends
// answers back to the queue when they run out. Of layers with a window the prefixes hold as much as the sequences.
CacheOptions cache_options(const Model& model, const SessionOptions& one,
                           const EngineOptions& options, uint64_t compute, uint64_t available) {
    CacheOptions cache;
    cache.page_tokens = one.page_tokens;
    const backend::KvLayout layout = layout_of(model.graph(), one);
    cache.splits_full = !layout.has_exact_forms();
    const uint64_t window_bytes = layout.window_page_bytes();
    const uint64_t page_bytes = std::max<uint64_t>(1, layout.page_bytes() - window_bytes);
    cache.sequence_pages_max = pages_of(options.context_tokens, cache.page_tokens);
    const int64_t sequences_pages = options.sequences_max * cache.sequence_pages_max;
    cache.window = window_of(layout);
    if (window_bytes > 0)
        cache.windows_max = windows_max(layout, one, options.context_tokens) +
                            std::min(options.sequences_max * cache.window.pages_max(), sequences_pages);
    const uint64_t fixed = compute + window_bytes * uint64_t(cache.windows_max);
    const double room = options.cache_share * double(available > fixed ? available - fixed : 0);
    const int64_t prefix_pages = int64_t(options.prefix_bytes_max / page_bytes);
    const int64_t wanted = sequences_pages + prefix_pages;
    cache.pages_max = std::clamp(int64_t(std::min(room / double(page_bytes), double(wanted))),
                                 cache.sequence_pages_max,
                                 std::max(wanted, cache.sequence_pages_max));
    cache.windows_max = std::min(cache.windows_max, cache.pages_max);
    cache.unused_pages_max = options.prefix_bytes_max > 0 ? prefix_pages : cache.pages_max;
    cache.warm_pages_max =
        std::min(int64_t(warm_bytes / (page_bytes + window_bytes)), cache.pages_max / 2);
    return cache;
}

}  // namespace

Result<std::shared_ptr<Engine>> Engine::open(std::shared_ptr<const Model> model,
                                             const EngineOptions& asked) {
    if (model->tokenizer() == nullptr)
        return fail(Code::invalid_argument, "the engine needs a model with its tokenizer");
    EngineOptions options = asked;
    if (options.sequences_max <= 0) options.sequences_max = sequences_default;
    SessionOptions one;
    one.context_tokens = options.context_tokens;
    one.chunk_tokens = std::max(options.chunk_tokens, options.sequences_max);
    one.outputs_max = options.sequences_max;
    one.key_type = options.key_type;
    one.value_type = options.value_type;
    one.full_windows = options.full_windows;
    const uint64_t available = platform::available_memory_bytes();
    INGLE_ASSIGN(const SettledContext settled, settle_context(*model, one, available));
    options.context_tokens = settled.tokens;
    if (options.context_shift) {
        INGLE_TRY(can_shift(*model));
        options.context_tokens = shifting_context(settled.tokens, one.page_tokens);
    }
    options.chunk_tokens = std::clamp<int64_t>(options.chunk_tokens, 1, options.context_tokens);
    one.sequences = options.sequences_max;
    const CacheOptions cache = cache_options(*model, one, options, settled.compute, available);
    INGLE_ASSIGN(auto scheduler, Scheduler::make(std::move(model), options, cache));
    return std::shared_ptr<Engine>(std::move(scheduler));
}

}  // namespace ingle
