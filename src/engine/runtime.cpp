#include "engine/runtime.h"

#include "base/cpu_info.h"

namespace ingle {

Runtime::Runtime(const RuntimeOptions& options, int threads, std::string reason)
    : isa_(cpu::best_isa()),
      threads_reason_(std::move(reason)),
      pool_(threads),
      cpu_(pool_, {.isa = isa_, .reference = options.reference,
                   .planes = options.precise ? 2 : 1}) {}

std::shared_ptr<Runtime> Runtime::make(const RuntimeOptions& options) {
    std::string reason = "as asked";
    int threads = options.threads;
    if (threads <= 0) threads = default_thread_count(&reason);
    return std::make_shared<Runtime>(options, threads, std::move(reason));
}

}  // namespace ingle
