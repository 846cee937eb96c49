// What this process has used of the machine so far.
#pragma once

#include <cstdint>

namespace ingle::platform {

struct ProcessUse {
    double user_seconds = 0;    // of processors, all threads
    double system_seconds = 0;
    int64_t minor_faults = 0;   // pages that were in memory already
    int64_t major_faults = 0;   // pages that had to be read
};

ProcessUse process_use();

}  // namespace ingle::platform
