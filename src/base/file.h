// Files: whole reads, a read-only mapping, and writing that leaves the old file or the new one, never half.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"

namespace ingle::platform {
struct FileTimes;
}

namespace ingle {

// The whole file as bytes. Refuses directories and files above `bytes_max`, saying so.
Result<std::string> read_file(const std::filesystem::path& path, uint64_t bytes_max = 1ull << 30);

// Everything that standard input holds until its end, up to `bytes_max`.
Result<std::string> read_standard_input(uint64_t bytes_max = 1ull << 30);

// A file written piece by piece under a temporary name beside `path`, and renamed in commit() once its
// bytes are on the disk; destroyed before that, it leaves nothing behind and an older file untouched.
// What a process that was killed left behind, the next one that writes `path` removes.
class AtomicFile {
  public:
    static Result<AtomicFile> create(const std::filesystem::path& path);

    Status append(std::span<const std::byte> bytes);
    // Makes it `bytes` long, with the space for them taken, if the file system can, to be written with write_at().
    Status reserve(uint64_t bytes);
    // From several threads at once, in any order.
    Status write_at(uint64_t offset, std::span<const std::byte> bytes);
    Status commit();

  private:
    struct Handle;
    std::unique_ptr<Handle, void (*)(Handle*)> handle_{nullptr, nullptr};
};

// Writes to a temporary neighbour, flushes it to the disk and renames it over `path`.
Status write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);

// A file mapped read-only. Pages are read from the disk when they are first touched.
class MappedFile {
  public:
    static Result<MappedFile> open(const std::filesystem::path& path);

    std::span<const std::byte> bytes() const { return bytes_; }
    const std::filesystem::path& path() const { return path_; }

    // Reads [offset, offset + out.size()) with ordinary reads, bypassing the mapping.
    // Safe from several threads at once. Fails if the file has become shorter.
    Status read(uint64_t offset, std::span<std::byte> out) const;

    // Fails once a touched page of the mapping could not be read; what it held reads as zeros from
    // then on.
    Status intact() const;

    // Tells the system that these pages are not needed again soon; it may drop them.
    void drop_pages(uint64_t offset, uint64_t size) const;
    // The same of what read() has left in memory, for other processes too.
    void drop_cached(uint64_t offset, uint64_t size) const;
    // Tells the system that these pages will be read soon through the mapping.
    void expect_pages(uint64_t offset, uint64_t size) const;
    // Zeros where the system cannot tell.
    platform::FileTimes times() const;

  private:
    struct Handle;
    std::filesystem::path path_;
    std::span<const std::byte> bytes_;
    std::shared_ptr<const Handle> handle_;
};

}  // namespace ingle
