#include "base/platform.h"
#include "base/platform_memory.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace ingle::platform {

int open_for_reading(const std::filesystem::path& path) {
    return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

int create_for_writing(const std::filesystem::path& path) {
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

int open_for_appending(const std::filesystem::path& path) {
    return ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

bool lock_file(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

bool truncate_file(int descriptor, uint64_t bytes) { return ::ftruncate(descriptor, off_t(bytes)) == 0; }

void close_file(int descriptor) { ::close(descriptor); }

namespace {

constexpr size_t large_page = 2u << 20;

}  // namespace

bool map_whole_file(int descriptor, std::span<const std::byte>& bytes) {
    struct stat info = {};
    if (::fstat(descriptor, &info) != 0) return false;
    if (info.st_size == 0) return bytes = {}, true;
    const size_t size = size_t(info.st_size);
    // A large file goes into an aligned part of a larger range, whose rest is given back.
    const size_t spare = size >= 2 * large_page ? large_page : 0;
    void* const range = ::mmap(nullptr, size + spare, PROT_READ, spare > 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED,
                               spare > 0 ? -1 : descriptor, 0);
    if (range == MAP_FAILED) return false;
    auto* begin = static_cast<std::byte*>(range);
    if (spare > 0) {
        const uintptr_t page = uintptr_t(::sysconf(_SC_PAGESIZE));
        const size_t before = (large_page - uintptr_t(range) % large_page) % large_page;
        const size_t used = (size + page - 1) / page * page;
        const size_t whole = (size + spare + page - 1) / page * page;
        std::byte* const aligned = begin + before;
        if (::mmap(aligned, size, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED) {
            const int saved = errno;
            ::munmap(range, size + spare);
            errno = saved;
            return false;
        }
        if (before > 0) ::munmap(begin, before);
        if (whole > before + used) ::munmap(aligned + used, whole - before - used);
        begin = aligned;
    }
    bytes = {begin, size};
    return true;
}

void unmap(std::span<const std::byte> bytes) {
    if (!bytes.empty()) ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
}

int64_t read_at(int descriptor, std::span<std::byte> out, uint64_t offset) {
    return ::pread(descriptor, out.data(), std::min<size_t>(out.size(), 1u << 30), off_t(offset));
}

int64_t write_some(int descriptor, std::span<const std::byte> bytes) {
    return ::write(descriptor, bytes.data(), std::min<size_t>(bytes.size(), 1u << 30));
}

int64_t write_at(int descriptor, std::span<const std::byte> bytes, uint64_t offset) {
    return ::pwrite(descriptor, bytes.data(), std::min<size_t>(bytes.size(), 1u << 30), off_t(offset));
}

bool flush_to_disk(int descriptor) { return ::fsync(descriptor) == 0; }

bool reserve_file(int descriptor, uint64_t bytes) {
#ifdef __linux__
    if (::fallocate(descriptor, 0, 0, off_t(bytes)) == 0) return true;
    if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) return false;
#endif
    return truncate_file(descriptor, bytes);
}

void drop_mapped_pages(std::span<const std::byte> mapping, uint64_t offset, uint64_t size) {
    const uint64_t page = uint64_t(::sysconf(_SC_PAGESIZE));
    const uint64_t first = (offset + page - 1) / page * page;
    const uint64_t last = std::min<uint64_t>(offset + size, mapping.size()) / page * page;
    if (last > first)
        ::madvise(const_cast<std::byte*>(mapping.data()) + first, last - first, MADV_DONTNEED);
}

void expect_mapped_pages(std::span<const std::byte> mapping, uint64_t offset, uint64_t size) {
    const uint64_t page = uint64_t(::sysconf(_SC_PAGESIZE));
    const uint64_t first = offset / page * page;
    const uint64_t last = std::min<uint64_t>(offset + size, mapping.size());
    if (last <= first) return;
    std::byte* const begin = const_cast<std::byte*>(mapping.data()) + first;
#ifdef MADV_HUGEPAGE
    ::madvise(begin, last - first, MADV_HUGEPAGE);
#endif
    ::madvise(begin, last - first, MADV_WILLNEED);
}

void drop_cached_pages(int descriptor, uint64_t offset, uint64_t size) {
#ifdef POSIX_FADV_DONTNEED
    ::posix_fadvise(descriptor, off_t(offset), off_t(size), POSIX_FADV_DONTNEED);
#else
    (void)descriptor, (void)offset, (void)size;
#endif
}

bool file_times(int descriptor, FileTimes& times) {
    struct stat info = {};
    if (::fstat(descriptor, &info) != 0) return false;
#ifdef __APPLE__
    const struct timespec written = info.st_mtimespec, changed = info.st_ctimespec;
#else
    const struct timespec written = info.st_mtim, changed = info.st_ctim;
#endif
    const auto nanoseconds = [](const struct timespec& time) {
        return int64_t(time.tv_sec) * 1'000'000'000 + int64_t(time.tv_nsec);
    };
    times = {nanoseconds(written), nanoseconds(changed)};
    return true;
}

std::optional<std::string> read_to_end(int descriptor, uint64_t bytes_max) {
    std::string content;
    for (;;) {
        const size_t old_size = content.size();
        const uint64_t room = bytes_max + 1 - old_size;
        const size_t step = size_t(std::min<uint64_t>(std::max<size_t>(old_size, 1u << 16), room));
        content.resize(old_size + step);
        const ssize_t count = ::read(descriptor, content.data() + old_size, step);
        if (count < 0 && errno == EINTR) {
            content.resize(old_size);
            continue;
        }
        if (count < 0) return std::nullopt;
        content.resize(old_size + size_t(count));
        if (count == 0 || content.size() > bytes_max) return content;
    }
}

std::tm local_time(std::time_t seconds) {
    std::tm time = {};
    ::localtime_r(&seconds, &time);
    return time;
}

int process_id() { return int(::getpid()); }

std::optional<std::string> run_program(std::span<const std::string> words, int& status) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int error =
        ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    std::optional<std::string> output;
    if (error == 0) output = read_to_end(ends[0], uint64_t(1) << 30);
    ::close(ends[0]);
    if (error != 0) return errno = error, std::nullopt;
    int raw = 0;
    while (::waitpid(child, &raw, 0) < 0 && errno == EINTR) {}
    status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    return output;
}

void* allocate_pages(size_t bytes) {
    void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED) return nullptr;
#ifdef MADV_HUGEPAGE
    if (bytes >= (4u << 20)) ::madvise(address, bytes, MADV_HUGEPAGE);
#endif
    return address;
}

void free_pages(void* address, size_t bytes) {
    if (address != nullptr) ::munmap(address, bytes);
}

void keep_pages_small(void* address, size_t bytes) {
#ifdef MADV_NOHUGEPAGE
    if (address != nullptr) ::madvise(address, bytes, MADV_NOHUGEPAGE);
#else
    (void)address, (void)bytes;
#endif
}

void discard_pages(void* address, size_t bytes) {
    const auto page = uintptr_t(::sysconf(_SC_PAGESIZE));
    const uintptr_t first = (uintptr_t(address) + page - 1) / page * page;
    const uintptr_t last = (uintptr_t(address) + bytes) / page * page;
    if (last > first) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

bool commit_pages(void* address, size_t bytes) {
#ifndef MADV_POPULATE_WRITE
    constexpr int MADV_POPULATE_WRITE = 23;  // Linux 5.14
#endif
    const auto page = uintptr_t(::sysconf(_SC_PAGESIZE));
    const uintptr_t first = uintptr_t(address) / page * page;
    const uintptr_t last = (uintptr_t(address) + bytes + page - 1) / page * page;
    // A system that does not know it takes the memory when it is touched.
    return ::madvise(reinterpret_cast<void*>(first), last - first, MADV_POPULATE_WRITE) == 0 ||
           errno == EINVAL;
}

namespace {

// The number after `key` in a file like /proc/meminfo ("MemAvailable:  123 kB"), in bytes.
std::optional<uint64_t> kilobytes_of(const char* file, std::string_view key) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        if (line.compare(0, key.size(), key) == 0)
            return std::strtoull(line.c_str() + key.size(), nullptr, 10) * 1024;
    return std::nullopt;
}

std::optional<uint64_t> number_in(const char* file) {
    std::ifstream stream(file);
    uint64_t value = 0;
    if (stream >> value) return value;
    return std::nullopt;
}

std::atomic<uint64_t> memory_limit = UINT64_MAX;
std::atomic<uint64_t> memory_promised = 0;

// The number after `key` and a space in a file like memory.stat.
uint64_t stat_of(const std::string& file, std::string_view key) {
    std::ifstream stream(file);
    for (std::string name; stream >> name;) {
        uint64_t value = 0;
        if (!(stream >> value)) break;
        if (name == key) return value;
    }
    return 0;
}

// What the files of one control group say.
struct GroupFiles {
    const char* limit;
    const char* usage;
    const char* reclaimable;  // in memory.stat: file pages that go when others need memory
};

struct GroupMemory {
    uint64_t limit = UINT64_MAX;
    uint64_t headroom = UINT64_MAX;
};

GroupMemory memory_of_group(const std::string& folder, const GroupFiles& files) {
    const auto limit = number_in((folder + files.limit).c_str());
    const auto usage = number_in((folder + files.usage).c_str());
    if (!limit || !usage) return {};
    const uint64_t reclaimable = stat_of(folder + "memory.stat", files.reclaimable);
    const uint64_t used = *usage > reclaimable ? *usage - reclaimable : 0;
    return {*limit, *limit > used ? *limit - used : 0};
}

// The least that this process's control group and those around it allow; the first line that names a hierarchy with
// memory in it counts. "0::/a/b" is of version 2, "9:memory:/a/b" of version 1.
GroupMemory memory_of_groups() {
    GroupMemory least;
    std::ifstream stream("/proc/self/cgroup");
    for (std::string line; std::getline(stream, line);) {
        const size_t colon = line.find(':');
        const size_t second = line.find(':', colon + 1);
        if (colon == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(colon + 1, second - colon - 1);
        const bool unified = controllers.empty();
        if (!unified && ("," + controllers + ",").find(",memory,") == std::string::npos) continue;
        const std::string root = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
        const GroupFiles files =
            unified ? GroupFiles{"memory.max", "memory.current", "inactive_file"}
                    : GroupFiles{"memory.limit_in_bytes", "memory.usage_in_bytes",
                                 "total_inactive_file"};
        for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
            const GroupMemory group = memory_of_group(root + path + "/", files);
            least = {std::min(least.limit, group.limit), std::min(least.headroom, group.headroom)};
            if (path.find('/') == std::string::npos) break;
        }
    }
    return least;
}

}  // namespace

uint64_t available_memory_bytes() {
    const uint64_t system =
        kilobytes_of("/proc/meminfo", "MemAvailable:").value_or(total_memory_bytes());
    const uint64_t limit = memory_limit;
    const uint64_t used = limit == UINT64_MAX ? 0 : private_bytes();
    const uint64_t free = std::min({system, memory_of_groups().headroom, limit > used ? limit - used : 0});
    const uint64_t promised = memory_promised;
    return free > promised ? free - promised : 0;
}

void promise_memory(uint64_t bytes) { memory_promised = bytes; }

void limit_memory(uint64_t bytes) { memory_limit = bytes; }

uint64_t total_memory_bytes() {
    const uint64_t machine = uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGESIZE));
    return std::min(machine, memory_of_groups().limit);
}

uint64_t resident_bytes() {
    return kilobytes_of("/proc/self/status", "VmRSS:").value_or(0);
}

uint64_t private_bytes() {
    const auto anonymous = kilobytes_of("/proc/self/status", "RssAnon:");
    if (!anonymous) return resident_bytes();
    return *anonymous + kilobytes_of("/proc/self/status", "RssShmem:").value_or(0);
}

uint64_t peak_resident_bytes() {
    struct rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return uint64_t(usage.ru_maxrss);
#else
    return uint64_t(usage.ru_maxrss) * 1024;
#endif
}

std::string compiler_name() {
#ifdef __clang__
    return std::string("clang ") + __clang_version__;
#elif defined(__GNUC__)
    return std::string("g++ ") + __VERSION__;
#else
    return "unknown compiler";
#endif
}

std::string architecture_name() {
#if defined(__x86_64__)
    return "x86-64";
#elif defined(__aarch64__)
    return "arm64";
#elif defined(__riscv)
    return "risc-v";
#else
    return "unknown architecture";
#endif
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

int terminal_columns() {
    struct winsize size = {};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

namespace {

std::atomic<int> interrupt_count = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch it");

}  // namespace

void count_interrupts() {
    struct sigaction action = {};
    action.sa_handler = [](int) { ++interrupt_count; };
    ::sigemptyset(&action.sa_mask);  // no SA_RESTART: a blocked read returns
    ::sigaction(SIGINT, &action, nullptr);
}

int interrupts() { return interrupt_count; }

}  // namespace ingle::platform
