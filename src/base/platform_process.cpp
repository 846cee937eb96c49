#include "base/platform_process.h"

#include <sys/resource.h>

namespace ingle::platform {

ProcessUse process_use() {
    struct rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return double(time.tv_sec) + double(time.tv_usec) * 1e-6;
    };
    ProcessUse use;
    use.user_seconds = seconds(usage.ru_utime);
    use.system_seconds = seconds(usage.ru_stime);
    use.minor_faults = int64_t(usage.ru_minflt);
    use.major_faults = int64_t(usage.ru_majflt);
    return use;
}

}  // namespace ingle::platform
