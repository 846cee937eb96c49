#include "cli/options/placement.h"

#include <algorithm>

#include "base/cpu_info.h"
#include "base/log.h"
#include "base/platform_cpu.h"

namespace ingle::cli {

namespace {

constexpr char group[] = "Threads";

// Spreads over the memory nodes, or stays on the one where the process runs.
void place_on_nodes(std::string_view mode, ThreadPlacement& placement) {
    if (mode.empty() || mode == "numactl") return;  // numactl has set the process's own processors
    auto nodes = read_memory_nodes("/", placement.processors.empty() ? platform::affinity() : placement.processors);
    if (nodes.size() < 2) {
        log(LogLevel::notice, "notice: --numa has no effect: this machine has one memory node");
        return;
    }
    if (mode == "distribute") {
        placement.nodes = std::move(nodes);
        return;
    }
    const int here = platform::current_processor();
    for (std::vector<int>& node : nodes)
        if (std::find(node.begin(), node.end(), here) != node.end()) placement.processors = std::move(node);
}

}  // namespace

std::vector<Option> placement_options() {
    return {
        {.name = "cpu_mask", .flags = "-C,--cpu-mask", .placeholder = "MASK", .default_value = std::string(),
         .help = "processors that threads may run on, bits of a hexadecimal number", .group = group},
        {.name = "cpu_range", .flags = "-Cr,--cpu-range", .placeholder = "RANGE",
         .default_value = std::string(), .help = "processors that threads may run on, like 0-7, besides those of the mask",
         .group = group},
        {.name = "cpu_strict", .flags = "--cpu-strict", .placeholder = "N", .default_value = int64_t(0),
         .help = "1: each thread on one of those processors alone", .min = 0, .max = 1, .group = group},
        {.name = "prio", .flags = "--prio", .placeholder = "N", .default_value = int64_t(0),
         .help = "priority of the threads: -1 low, 0 normal, 1 medium, 2 high, 3 real time", .min = priority_min,
         .max = priority_max, .group = group},
        {.name = "poll", .flags = "--poll", .placeholder = "N", .default_value = int64_t(50),
         .help = "how long waiting threads spin before they sleep, from 0, not at all, to 100", .min = 0, .max = 100,
         .group = group},
        {.name = "numa", .flags = "--numa", .placeholder = "MODE", .default_value = std::string(),
         .help = "on machines with several memory nodes: spread the threads over them, stay on one, or as numactl set",
         .choices = {"distribute", "isolate", "numactl"}, .group = group},
    };
}

Result<ThreadPlacement> thread_placement(const OptionValues& values) {
    ThreadPlacement placement;
    if (const std::string& mask = values.text("cpu_mask"); !mask.empty()) {
        auto processors = processors_of_mask(mask);
        if (!processors.ok()) return std::move(processors).status().in("--cpu-mask");
        placement.processors = std::move(*processors);
    }
    if (const std::string& range = values.text("cpu_range"); !range.empty()) {
        auto processors = processors_of_range(range, cpu_limits().logical);
        if (!processors.ok()) return std::move(processors).status().in("--cpu-range");
        for (const int processor : *processors)
            if (std::find(placement.processors.begin(), placement.processors.end(), processor) ==
                placement.processors.end())
                placement.processors.push_back(processor);
    }
    // What the process may not use would make the system refuse all of it, or leave threads without a processor.
    const std::vector<int> allowed = platform::affinity();
    for (const int processor : placement.processors)
        if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), processor) == allowed.end())
            return fail(Code::invalid_argument, values.text("cpu_mask").empty() ? "--cpu-range" : "--cpu-mask",
                        ": this process may not run on processor ", processor, "; it may on ", allowed.size(),
                        ", from ", allowed.front(), " to ", allowed.back());
    placement.one_each = values.integer("cpu_strict") != 0;
    if (placement.one_each && placement.processors.empty()) placement.processors = allowed;
    placement.priority = int(values.integer("prio"));
    placement.poll = int(values.integer("poll"));
    place_on_nodes(values.text("numa"), placement);
    return placement;
}

}  // namespace ingle::cli
