// What the processor can do, and how much of it this process may use.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ingle {

// Instruction sets that the processor has and the system saves the registers of.
struct CpuFeatures {
    bool sse42 = false, avx = false, avx2 = false, fma = false, f16c = false, bmi2 = false;
    bool avx512f = false, avx512bw = false, avx512vl = false, avx512dq = false;
    bool avx512_vnni = false, avx512_vbmi = false, avx512_bf16 = false, avx512_fp16 = false;
    bool avx_vnni = false, amx_int8 = false, amx_bf16 = false;
};
CpuFeatures cpu_features();
// The names of the features present, as /proc/cpuinfo writes them, separated by blanks.
std::string to_string(const CpuFeatures& features);

// "AMD EPYC 9654 96-Core Processor", or "unknown".
std::string cpu_model_name();

struct CpuLimits {
    int logical = 1;              // processors online
    int physical_cores = 1;       // distinct cores among them
    int affinity = 1;             // processors this process may run on (taskset, cpuset)
    int affinity_cores = 1;       // distinct cores among those
    std::optional<double> quota;  // processors' worth of time the control group grants, if limited
};

// Reads /sys and /proc below `root` (tests put a made-up tree there); `affinity` lists the allowed
// processors.
CpuLimits read_cpu_limits(const std::filesystem::path& root, const std::vector<int>& affinity);
// Of this process, now.
CpuLimits cpu_limits();
// The processors of each memory node that has some of the allowed ones; empty where the system tells of no nodes.
std::vector<std::vector<int>> read_memory_nodes(const std::filesystem::path& root, const std::vector<int>& affinity);

// max(1, min(physical cores, affinity, floor(quota))). Says in `reason`, if given, where the number
// comes from.
int default_thread_count(const CpuLimits& limits, std::string* reason);
int default_thread_count(std::string* reason);

}  // namespace ingle
