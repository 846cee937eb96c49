#include "engine/runtime.h"

#include <algorithm>

#include "base/cpu_info.h"

namespace ingle {

Runtime::Runtime(const RuntimeOptions& options, std::string reason)
    : isa_(cpu::best_isa()),
      threads_(options.threads),
      threads_reason_(std::move(reason)),
      placement_(options.placement),
      pool_(std::max(options.threads, options.threads_batch), options.placement),
      cpu_(pool_, {.isa = isa_, .reference = options.reference,
                   .planes = options.precise ? 2 : 1,
                   .decode_threads = options.threads,
                   .prompt_threads = options.threads_batch,
                   .storage = options.storage}),
      device_(options.device) {}

std::shared_ptr<Runtime> Runtime::make(const RuntimeOptions& options) {
    std::string reason = "as asked";
    RuntimeOptions settled = options;
    if (settled.threads <= 0) {
        const std::vector<int>& processors = settled.placement.processors;
        settled.threads = processors.empty() ? default_thread_count(&reason)
                                             : default_thread_count(read_cpu_limits("/", processors), &reason);
    }
    if (settled.threads_batch <= 0) settled.threads_batch = settled.threads;
    return std::make_shared<Runtime>(settled, std::move(reason));
}

}  // namespace ingle
