// Where the threads of a pool run, at what priority, and how they wait.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace ingle {

struct ThreadPlacement {
    std::vector<int> processors = {};     // that threads may run on; empty: those of the process
    bool one_each = false;                // each thread on one of them alone, in order, instead of on any
    std::vector<std::vector<int>> nodes = {};  // memory nodes' processors, to spread the threads over
    int priority = 0;                     // -1 low, 0 as the process, 1 medium, 2 high, 3 real time
    int poll = 50;                        // percent: how long waiting threads spin before they sleep; 0: not at all

    bool changes_threads() const { return !processors.empty() || one_each || !nodes.empty() || priority != 0; }
    // The processors for one of `threads` threads; empty: as the process.
    std::vector<int> processors_of(int thread, int threads) const;
};

inline constexpr int priority_min = -1, priority_max = 3;

// "0xff", "ff", "0x0f0f": bit i is processor i. Fails on anything but 1 to 256 hexadecimal digits that set a bit.
Result<std::vector<int>> processors_of_mask(std::string_view hexadecimal);
// The mask that names these processors: "0x5"; of none "0x0".
std::string mask_of_processors(const std::vector<int>& processors);
// "0-7", "-3" (from 0), "4-" (to the last of `count` processors).
Result<std::vector<int>> processors_of_range(std::string_view range, int count);

// Puts the calling thread, number `thread` of `threads`, where it belongs. What the system refuses is warned of, once
// for each kind in the life of the process, and otherwise left as it was.
void place_this_thread(const ThreadPlacement& placement, int thread, int threads);

}  // namespace ingle
