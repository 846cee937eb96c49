#include "base/cpu_info.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <string_view>

#include "base/platform_cpu.h"
#include "base/text.h"

namespace ingle {

namespace {

bool bit(uint32_t word, int index) {
    return (word >> index & 1u) != 0;
}

std::string first_line(const std::filesystem::path& path) {
    std::ifstream stream(path);
    std::string line;
    std::getline(stream, line);
    return line;
}

// "0-3,8,10-11" as numbers. Bounded: a system with more than 2^16 processors is cut off.
std::vector<int> cpu_list(std::string_view text) {
    std::vector<int> cpus;
    for (const std::string_view range : split(trim(text), ',')) {
        const auto ends = split(range, '-');
        const auto first = ends.empty() ? std::nullopt : parse_int(ends.front());
        const auto last = ends.empty() ? std::nullopt : parse_int(ends.back());
        if (!first || !last || *first < 0) continue;
        for (int64_t cpu = *first; cpu <= std::min<int64_t>(*last, 65535); ++cpu)
            cpus.push_back(int(cpu));
    }
    return cpus;
}

// Distinct physical cores among `cpus`: hardware threads of one core name the same siblings.
int count_cores(const std::filesystem::path& root, const std::vector<int>& cpus) {
    std::set<std::string> cores;
    for (const int cpu : cpus) {
        const auto topology = root / "sys/devices/system/cpu" / cat("cpu", cpu) / "topology";
        std::string siblings = first_line(topology / "core_cpus_list");
        if (siblings.empty()) siblings = first_line(topology / "thread_siblings_list");
        cores.insert(siblings.empty() ? cat("cpu", cpu) : siblings);
    }
    return std::max<int>(1, int(cores.size()));
}

std::optional<double> smaller(std::optional<double> a, std::optional<double> b) {
    if (!a) return b;
    if (!b) return a;
    return std::min(*a, *b);
}

// cpu.max: "200000 100000" is two processors, "max 100000" is no limit.
std::optional<double> quota_v2(const std::filesystem::path& folder) {
    const std::string line = first_line(folder / "cpu.max");
    const auto words = split(trim(line), ' ');
    if (words.size() != 2) return std::nullopt;
    const auto quota = parse_int(words[0]), period = parse_int(words[1]);
    if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
    return double(*quota) / double(*period);
}

std::optional<double> quota_v1(const std::filesystem::path& folder) {
    const std::string quota_line = first_line(folder / "cpu.cfs_quota_us");
    const std::string period_line = first_line(folder / "cpu.cfs_period_us");
    const auto quota = parse_int(trim(quota_line)), period = parse_int(trim(period_line));
    if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
    return double(*quota) / double(*period);
}

// The tightest limit of a group and all that contain it. A path that the container cannot see
// counts as its root.
template <class Read>
std::optional<double> tightest(const std::filesystem::path& mount, std::string_view group,
                               Read read) {
    std::optional<double> quota = read(mount);
    std::filesystem::path folder = mount;
    for (const std::string_view part : split(group, '/')) {
        if (part.empty() || part == "." || part == "..") continue;
        folder /= part;
        quota = smaller(quota, read(folder));
    }
    return quota;
}

std::optional<double> read_quota(const std::filesystem::path& root) {
    const auto mounts = root / "sys/fs/cgroup";
    std::optional<double> quota = smaller(quota_v2(mounts), quota_v1(mounts / "cpu"));
    std::ifstream groups(root / "proc/self/cgroup");  // lines "ID:CONTROLLERS:PATH"
    for (std::string line; std::getline(groups, line);) {
        const size_t first = line.find(':');
        const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string_view path = std::string_view(line).substr(second + 1);
        if (controllers.empty()) {
            quota = smaller(quota, tightest(mounts, path, quota_v2));
            quota = smaller(quota, tightest(mounts / "unified", path, quota_v2));
            continue;
        }
        for (const std::string_view controller : split(controllers, ','))
            if (controller == "cpu") {
                quota = smaller(quota, tightest(mounts / "cpu", path, quota_v1));
                quota = smaller(quota, tightest(mounts / controllers, path, quota_v1));
            }
    }
    return quota;
}

}  // namespace

CpuFeatures cpu_features() {
    const auto leaf1 = platform::cpuid(1, 0);
    const bool system_saves = bit(leaf1.ecx, 27);  // OSXSAVE
    const uint64_t saved = system_saves ? platform::xgetbv0() : 0;
    const bool ymm = (saved & 0x6) == 0x6;
    const bool zmm = (saved & 0xe6) == 0xe6;
    const bool tiles = (saved & 0x60000) == 0x60000;
    const auto leaf7 = platform::cpuid(7, 0);
    const auto leaf7_1 = platform::cpuid(7, 1);
    CpuFeatures f;
    f.sse42 = bit(leaf1.ecx, 20);
    f.avx = ymm && bit(leaf1.ecx, 28);
    f.fma = ymm && bit(leaf1.ecx, 12);
    f.f16c = ymm && bit(leaf1.ecx, 29);
    f.avx2 = ymm && bit(leaf7.ebx, 5);
    f.bmi2 = bit(leaf7.ebx, 8);
    f.avx512f = zmm && bit(leaf7.ebx, 16);
    f.avx512dq = zmm && bit(leaf7.ebx, 17);
    f.avx512bw = zmm && bit(leaf7.ebx, 30);
    f.avx512vl = zmm && bit(leaf7.ebx, 31);
    f.avx512_vbmi = zmm && bit(leaf7.ecx, 1);
    f.avx512_vnni = zmm && bit(leaf7.ecx, 11);
    f.avx512_fp16 = zmm && bit(leaf7.edx, 23);
    f.avx512_bf16 = zmm && bit(leaf7_1.eax, 5);
    f.avx_vnni = ymm && bit(leaf7_1.eax, 4);
    f.amx_int8 = tiles && bit(leaf7.edx, 25);
    f.amx_bf16 = tiles && bit(leaf7.edx, 22);
    return f;
}

std::string to_string(const CpuFeatures& f) {
    const std::pair<bool, const char*> names[] = {
        {f.sse42, "sse4_2"},
        {f.avx, "avx"},
        {f.avx2, "avx2"},
        {f.fma, "fma"},
        {f.f16c, "f16c"},
        {f.bmi2, "bmi2"},
        {f.avx512f, "avx512f"},
        {f.avx512bw, "avx512bw"},
        {f.avx512vl, "avx512vl"},
        {f.avx512dq, "avx512dq"},
        {f.avx512_vnni, "avx512_vnni"},
        {f.avx512_vbmi, "avx512vbmi"},
        {f.avx512_bf16, "avx512_bf16"},
        {f.avx512_fp16, "avx512_fp16"},
        {f.avx_vnni, "avx_vnni"},
        {f.amx_int8, "amx_int8"},
        {f.amx_bf16, "amx_bf16"},
    };
    std::string text;
    for (const auto& [present, name] : names)
        if (present) text += cat(text.empty() ? "" : " ", name);
    return text;
}

std::string cpu_model_name() {
    char name[49] = {};
    for (uint32_t part = 0; part < 3; ++part) {
        const auto words = platform::cpuid(0x80000002u + part, 0);
        std::memcpy(name + 16 * part, &words, 16);
    }
    const std::string_view trimmed = trim(name);
    return trimmed.empty() ? "unknown" : std::string(trimmed);
}

CpuLimits read_cpu_limits(const std::filesystem::path& root, const std::vector<int>& affinity) {
    CpuLimits limits;
    std::vector<int> online = cpu_list(first_line(root / "sys/devices/system/cpu/online"));
    if (online.empty()) online = affinity;
    if (online.empty()) online = {0};
    const std::vector<int>& allowed = affinity.empty() ? online : affinity;
    limits.logical = int(online.size());
    limits.physical_cores = count_cores(root, online);
    limits.affinity = int(allowed.size());
    limits.affinity_cores = count_cores(root, allowed);
    limits.quota = read_quota(root);
    return limits;
}

std::vector<std::vector<int>> read_memory_nodes(const std::filesystem::path& root, const std::vector<int>& affinity) {
    const auto folder = root / "sys/devices/system/node";
    std::vector<std::vector<int>> nodes;
    for (const int node : cpu_list(first_line(folder / "online"))) {
        std::vector<int> processors = cpu_list(first_line(folder / cat("node", node) / "cpulist"));
        std::erase_if(processors, [&](int processor) {
            return std::find(affinity.begin(), affinity.end(), processor) == affinity.end();
        });
        if (!processors.empty()) nodes.push_back(std::move(processors));
    }
    return nodes;
}

CpuLimits cpu_limits() {
    return read_cpu_limits("/", platform::affinity());
}

int default_thread_count(const CpuLimits& limits, std::string* reason) {
    int count = std::min({limits.physical_cores, limits.affinity, limits.affinity_cores});
    if (limits.quota) count = std::min(count, int(std::min(std::floor(*limits.quota), 65536.0)));
    count = std::max(count, 1);
    if (reason != nullptr) {
        *reason = cat(count, count == 1 ? " thread: " : " threads: ", limits.physical_cores,
                      " physical cores of ", limits.logical, " processors, ", limits.affinity,
                      " allowed (on ", limits.affinity_cores, " cores), CPU quota ",
                      limits.quota ? cat(*limits.quota) : std::string("unlimited"));
    }
    return count;
}

int default_thread_count(std::string* reason) {
    return default_thread_count(cpu_limits(), reason);
}

}  // namespace ingle
