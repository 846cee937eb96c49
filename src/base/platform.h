// The operating system, behind a dozen plain functions: the only place in the core with #if on it.
// Failures follow the C convention (negative or false, errno set); callers turn them into Status.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace ingle::platform {

int open_for_reading(const std::filesystem::path& path);
int create_for_writing(const std::filesystem::path& path);
// Made if it is not there; everything written goes to its end.
int open_for_appending(const std::filesystem::path& path);
// Until the file is closed. False if another process holds it.
bool lock_file(int descriptor);
bool truncate_file(int descriptor, uint64_t bytes);
void close_file(int descriptor);
// Large files at an address that is a multiple of 2 MiB, so that their pages may be large.
bool map_whole_file(int descriptor, std::span<const std::byte>& bytes);
void unmap(std::span<const std::byte> bytes);
int64_t read_at(int descriptor, std::span<std::byte> out, uint64_t offset);
int64_t write_some(int descriptor, std::span<const std::byte> bytes);
int64_t write_at(int descriptor, std::span<const std::byte> bytes, uint64_t offset);
bool flush_to_disk(int descriptor);
// Makes the file `bytes` long and takes the space for them now; false if the disk has none. On file systems that cannot
// take it ahead, writing finds out.
bool reserve_file(int descriptor, uint64_t bytes);
void drop_mapped_pages(std::span<const std::byte> mapping, uint64_t offset, uint64_t size);
// Tells the system that all of the mapping will be read soon, in large pages where it has them.
void expect_mapped_pages(std::span<const std::byte> mapping, uint64_t offset, uint64_t size);
// Tells the system that it need not keep these bytes of the file in memory.
void drop_cached_pages(int descriptor, uint64_t offset, uint64_t size);

// When a file was written and when anything about it changed, in nanoseconds since 1970. No program can set the second.
struct FileTimes {
    int64_t written = 0;
    int64_t changed = 0;
};
bool file_times(int descriptor, FileTimes& times);

// Reads until the end of the file, or until one byte more than `bytes_max`.
std::optional<std::string> read_to_end(int descriptor, uint64_t bytes_max);

int process_id();
// Runs a program (found as a shell would find it) without input and returns what it printed on standard output once it
// has ended; its messages are dropped. Nothing if it could not be started; `status` is its exit code, or 128 + signal.
std::optional<std::string> run_program(std::span<const std::string> words, int& status);
// Broken-down local time of seconds since 1970.
std::tm local_time(std::time_t seconds);
// What this program was built with and for, e.g. "g++ 12.2.0" and "x86-64".
std::string compiler_name();
std::string architecture_name();

// True if the stream behind this descriptor (1: standard output, 2: standard error) is a terminal.
bool is_terminal(int descriptor);
// Width of the terminal on standard error, 80 if unknown.
int terminal_columns();
// From now on an interrupt (Ctrl-C) is counted instead of ending the process.
void count_interrupts();
int interrupts();  // since count_interrupts()

// Anonymous zeroed memory, asked to lie on 2 MiB pages where the system has them. Null on failure.
void* allocate_pages(size_t bytes);
void free_pages(void* address, size_t bytes);
// From now on memory of [address, address + bytes) is taken in the smallest pages: for what is used in few places.
void keep_pages_small(void* address, size_t bytes);
// Gives back the physical pages that lie wholly in [address, address + bytes); they read as zero afterwards.
void discard_pages(void* address, size_t bytes);
// Takes their memory now and not when they are first touched, where a lack of it would end the process; false if there is
// none.
bool commit_pages(void* address, size_t bytes);

// From now on this process is to hold at most so many bytes of memory, as available_memory_bytes() tells.
void limit_memory(uint64_t bytes);
// Bytes of memory this process may still use: the least of free memory, what control groups still allow, and what its own
// limit leaves.
uint64_t available_memory_bytes();
// Of the machine, or what control groups allow in all.
uint64_t total_memory_bytes();
// Resident set of this process now, and its highest value so far.
uint64_t resident_bytes();
// Of it what belongs to this process alone, and not to files whose pages the system may drop and others may share.
uint64_t private_bytes();
uint64_t peak_resident_bytes();

}  // namespace ingle::platform
