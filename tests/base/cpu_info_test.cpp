#include "base/cpu_info.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/platform.h"
#include "base/platform_cpu.h"
#include "base/text.h"

namespace ingle {

namespace {

// A made-up /sys and /proc.
class Machine {
  public:
    Machine()
        : root_(std::filesystem::temp_directory_path() /
                cat("ingle-cpu-info-", platform::process_id(), "-", ++count_)) {}
    ~Machine() { std::filesystem::remove_all(root_); }

    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    // `cores` cores of two hardware threads each, numbered as on most servers: 0 and `cores` are
    // siblings.
    void with_cores(int cores) const {
        write("sys/devices/system/cpu/online", cat("0-", 2 * cores - 1, "\n"));
        for (int cpu = 0; cpu < 2 * cores; ++cpu)
            write(cat("sys/devices/system/cpu/cpu", cpu, "/topology/core_cpus_list"),
                  cat(cpu % cores, ",", cpu % cores + cores, "\n"));
    }
    int threads(const std::vector<int>& affinity) const {
        return default_thread_count(read_cpu_limits(root_, affinity), nullptr);
    }
    CpuLimits limits(const std::vector<int>& affinity) const {
        return read_cpu_limits(root_, affinity);
    }
    std::vector<std::vector<int>> nodes(const std::vector<int>& affinity) const {
        return read_memory_nodes(root_, affinity);
    }

  private:
    std::filesystem::path root_;
    inline static int count_ = 0;
};

const std::vector<int> sixteen = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

}  // namespace

TEST(CpuInfo, without_limits_one_thread_per_physical_core) {
    Machine machine;
    machine.with_cores(8);
    EXPECT_EQ(machine.threads(sixteen), 8);
    EXPECT_EQ(machine.threads({}), 8);
}

// A container with a CPU quota must not start a thread per host core (bug report 40).
TEST(CpuInfo, a_version_2_quota_lowers_the_thread_count) {
    Machine machine;
    machine.with_cores(8);
    machine.write("proc/self/cgroup", "0::/docker/abc\n");
    machine.write("sys/fs/cgroup/docker/abc/cpu.max", "200000 100000\n");
    EXPECT_EQ(machine.threads(sixteen), 2);
    machine.write("sys/fs/cgroup/docker/abc/cpu.max", "max 100000\n");
    EXPECT_EQ(machine.threads(sixteen), 8);
}

TEST(CpuInfo, the_tightest_quota_of_all_enclosing_groups_counts) {
    Machine machine;
    machine.with_cores(8);
    machine.write("proc/self/cgroup", "0::/a/b\n");
    machine.write("sys/fs/cgroup/a/cpu.max", "350000 100000\n");
    machine.write("sys/fs/cgroup/a/b/cpu.max", "600000 100000\n");
    EXPECT_EQ(machine.threads(sixteen), 3);
}

TEST(CpuInfo, inside_a_container_the_quota_lies_at_the_root_of_the_mount) {
    Machine machine;
    machine.with_cores(8);
    machine.write("proc/self/cgroup", "0::/not/visible/from/here\n");
    machine.write("sys/fs/cgroup/cpu.max", "450000 100000\n");
    EXPECT_EQ(machine.threads(sixteen), 4);
}

TEST(CpuInfo, a_version_1_quota_lowers_the_thread_count) {
    Machine machine;
    machine.with_cores(8);
    machine.write("proc/self/cgroup", "5:memory:/x\n4:cpu,cpuacct:/x\n");
    machine.write("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "300000\n");
    machine.write("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(machine.threads(sixteen), 3);
    machine.write("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "-1\n");
    EXPECT_EQ(machine.threads(sixteen), 8);
}

TEST(CpuInfo, a_quota_below_one_processor_still_gives_one_thread) {
    Machine machine;
    machine.with_cores(8);
    machine.write("proc/self/cgroup", "0::/\n");
    machine.write("sys/fs/cgroup/cpu.max", "50000 100000\n");
    EXPECT_EQ(machine.threads(sixteen), 1);
}

TEST(CpuInfo, affinity_counts_cores_not_hardware_threads) {
    Machine machine;
    machine.with_cores(8);
    EXPECT_EQ(machine.threads({0, 1, 2}), 3);
    EXPECT_EQ(machine.threads({0, 8, 1, 9}), 2);  // two cores, both hardware threads of each
    EXPECT_EQ(machine.limits({0, 8, 1, 9}).affinity, 4);
}

TEST(CpuInfo, the_reason_names_every_number_that_entered) {
    std::string reason;
    CpuLimits limits;
    limits.logical = 16, limits.physical_cores = 8, limits.affinity = 6, limits.affinity_cores = 5;
    limits.quota = 2.5;
    EXPECT_EQ(default_thread_count(limits, &reason), 2);
    EXPECT_EQ(
        reason,
        "2 threads: 8 physical cores of 16 processors, 6 allowed (on 5 cores), CPU quota 2.5");
}

TEST(CpuInfo, nonsense_in_the_system_files_is_no_limit) {
    Machine machine;
    machine.with_cores(2);
    machine.write("proc/self/cgroup", "::\nnonsense\n0::/../../..\n1:cpu:\n");
    machine.write("sys/fs/cgroup/cpu.max", "12 x\n");
    machine.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "\n");
    EXPECT_EQ(machine.threads({0, 1, 2, 3}), 2);
}

TEST(CpuInfo, memory_nodes_list_the_allowed_processors) {
    Machine machine;
    machine.write("sys/devices/system/node/online", "0-2\n");
    machine.write("sys/devices/system/node/node0/cpulist", "0-3,8\n");
    machine.write("sys/devices/system/node/node1/cpulist", "4-7\n");
    machine.write("sys/devices/system/node/node2/cpulist", "\n");  // memory only
    using Nodes = std::vector<std::vector<int>>;
    EXPECT_EQ(machine.nodes({1, 2, 5, 8}), (Nodes{{1, 2, 8}, {5}}));
    EXPECT_EQ(machine.nodes({0}), (Nodes{{0}}));
    EXPECT_EQ(Machine().nodes({0, 1}), Nodes());
}

TEST(CpuInfo, a_changed_affinity_is_seen) {
    const std::vector<int> before = platform::affinity();
    if (before.size() < 2) GTEST_SKIP() << "needs two processors";
    ASSERT_TRUE(platform::set_affinity({before[1]}));
    const CpuLimits limits = cpu_limits();
    ASSERT_TRUE(platform::set_affinity(before));
    EXPECT_EQ(limits.affinity, 1);
    EXPECT_EQ(default_thread_count(limits, nullptr), 1);
}

}  // namespace ingle
